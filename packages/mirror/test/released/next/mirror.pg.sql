SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.decimal_add(numeric, text) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    AS $_$SELECT CASE WHEN $2 IS NULL THEN $1 ELSE COALESCE($1, 0) + CAST($2 AS NUMERIC) END$_$;
CREATE AGGREGATE public.decimal_sum(numeric) (
    SFUNC = numeric_add,
    STYPE = numeric,
    FINALFUNC = trim_scale
);
CREATE AGGREGATE public.decimal_sum(text) (
    SFUNC = public.decimal_add,
    STYPE = numeric,
    FINALFUNC = trim_scale
);
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.sync_state (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);
CREATE TABLE public.transfer_totals (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    created_day text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    totals text NOT NULL
);
CREATE VIEW public.daily_totals AS
 SELECT amounts.partner_id,
    amounts.created_day,
    amounts.status,
    amounts.currency_code,
    (sum(amounts.amounts))::bigint AS transfers,
    trim_scale(sum(amounts.source_total)) AS source_total
   FROM ( SELECT transfer_totals.partner_id,
            transfer_totals.created_day,
            transfer_totals.status,
            ((of_field.value ->> 1) COLLATE "C") AS currency_code,
            ((of_field.value ->> 2))::bigint AS amounts,
            ((of_field.value ->> 3))::numeric AS source_total
           FROM (public.transfer_totals
             CROSS JOIN LATERAL json_array_elements((((transfer_totals.totals)::json -> 'amounts'::text) -> 'source_total'::text)) of_field(value))
          WHERE (transfer_totals.partner_id IN ( SELECT sync_state.partner_id
                   FROM public.sync_state
                  WHERE ((sync_state.name = 'totals'::text) AND (sync_state.value = 'complete'::text))))) amounts
  GROUP BY amounts.partner_id, amounts.created_day, amounts.status, amounts.currency_code;
CREATE VIEW public.fees_by_currency AS
 SELECT fees.partner_id,
    fees.created_month,
    fees.status,
    fees.currency_code,
    trim_scale(sum(fees.service_fee)) AS service_fee,
    trim_scale(sum(fees.network_fee)) AS network_fee
   FROM ( SELECT service_fees.partner_id,
            service_fees.created_month,
            service_fees.status,
            service_fees.currency_code,
            service_fees.service_fee,
            NULL::numeric AS network_fee
           FROM ( SELECT transfer_totals.partner_id,
                    substr(transfer_totals.created_day, 1, 7) AS created_month,
                    transfer_totals.status,
                    ((of_field.value ->> 1) COLLATE "C") AS currency_code,
                    ((of_field.value ->> 2))::bigint AS amounts,
                    ((of_field.value ->> 3))::numeric AS service_fee
                   FROM (public.transfer_totals
                     CROSS JOIN LATERAL json_array_elements((((transfer_totals.totals)::json -> 'amounts'::text) -> 'service_fee'::text)) of_field(value))
                  WHERE (transfer_totals.partner_id IN ( SELECT sync_state.partner_id
                           FROM public.sync_state
                          WHERE ((sync_state.name = 'totals'::text) AND (sync_state.value = 'complete'::text))))) service_fees
        UNION ALL
         SELECT network_fees.partner_id,
            network_fees.created_month,
            network_fees.status,
            network_fees.currency_code,
            NULL::numeric AS service_fee,
            network_fees.network_fee
           FROM ( SELECT transfer_totals.partner_id,
                    substr(transfer_totals.created_day, 1, 7) AS created_month,
                    transfer_totals.status,
                    ((of_field.value ->> 1) COLLATE "C") AS currency_code,
                    ((of_field.value ->> 2))::bigint AS amounts,
                    ((of_field.value ->> 3))::numeric AS network_fee
                   FROM (public.transfer_totals
                     CROSS JOIN LATERAL json_array_elements((((transfer_totals.totals)::json -> 'amounts'::text) -> 'network_fee'::text)) of_field(value))
                  WHERE (transfer_totals.partner_id IN ( SELECT sync_state.partner_id
                           FROM public.sync_state
                          WHERE ((sync_state.name = 'totals'::text) AND (sync_state.value = 'complete'::text))))) network_fees) fees
  GROUP BY fees.partner_id, fees.created_month, fees.status, fees.currency_code;
CREATE TABLE public.mirror_clock (
    singleton bigint NOT NULL,
    last_us bigint NOT NULL,
    CONSTRAINT mirror_clock_singleton_check CHECK ((singleton = 1))
);
CREATE TABLE public.mirror_migrations (
    migration_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.mirror_objects (
    name text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.mirrored_transfers (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    created_ns bigint NOT NULL,
    created_day text NOT NULL COLLATE pg_catalog."C",
    is_open bigint NOT NULL,
    first_seen_at text NOT NULL COLLATE pg_catalog."C",
    seen_at text NOT NULL COLLATE pg_catalog."C",
    vanished_at text COLLATE pg_catalog."C",
    body text NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    network_transaction_id text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text COLLATE pg_catalog."C",
    source_total_amount numeric,
    source_total_currency_code text COLLATE pg_catalog."C",
    source_total_usd_amount numeric,
    source_total_usd_currency_code text COLLATE pg_catalog."C",
    source_subtotal_amount numeric,
    source_subtotal_currency_code text COLLATE pg_catalog."C",
    source_subtotal_usd_amount numeric,
    source_subtotal_usd_currency_code text COLLATE pg_catalog."C",
    destination_total_amount numeric,
    destination_total_currency_code text COLLATE pg_catalog."C",
    destination_total_usd_amount numeric,
    destination_total_usd_currency_code text COLLATE pg_catalog."C",
    wallet_address text COLLATE pg_catalog."C",
    payment_method text COLLATE pg_catalog."C",
    service_fee_amount numeric,
    service_fee_currency_code text COLLATE pg_catalog."C",
    service_fee_usd_amount numeric,
    service_fee_usd_currency_code text COLLATE pg_catalog."C",
    network_fee_amount numeric,
    network_fee_currency_code text COLLATE pg_catalog."C",
    network_fee_usd_amount numeric,
    network_fee_usd_currency_code text COLLATE pg_catalog."C",
    extra text
);
CREATE VIEW public.transfers AS
 SELECT mirrored_transfers.partner_id,
    mirrored_transfers.id,
    mirrored_transfers.external_id,
    mirrored_transfers.kind,
    mirrored_transfers.status,
    mirrored_transfers.network_transaction_id,
    mirrored_transfers.created_at,
    mirrored_transfers.updated_at,
    mirrored_transfers.source_total_amount,
    mirrored_transfers.source_total_currency_code,
    mirrored_transfers.source_total_usd_amount,
    mirrored_transfers.source_total_usd_currency_code,
    mirrored_transfers.source_subtotal_amount,
    mirrored_transfers.source_subtotal_currency_code,
    mirrored_transfers.source_subtotal_usd_amount,
    mirrored_transfers.source_subtotal_usd_currency_code,
    mirrored_transfers.destination_total_amount,
    mirrored_transfers.destination_total_currency_code,
    mirrored_transfers.destination_total_usd_amount,
    mirrored_transfers.destination_total_usd_currency_code,
    mirrored_transfers.wallet_address,
    mirrored_transfers.payment_method,
    mirrored_transfers.service_fee_amount,
    mirrored_transfers.service_fee_currency_code,
    mirrored_transfers.service_fee_usd_amount,
    mirrored_transfers.service_fee_usd_currency_code,
    mirrored_transfers.network_fee_amount,
    mirrored_transfers.network_fee_currency_code,
    mirrored_transfers.network_fee_usd_amount,
    mirrored_transfers.network_fee_usd_currency_code,
    mirrored_transfers.extra,
    mirrored_transfers.created_ns,
    mirrored_transfers.created_day,
    mirrored_transfers.is_open,
    mirrored_transfers.first_seen_at,
    mirrored_transfers.seen_at,
    mirrored_transfers.body
   FROM public.mirrored_transfers
  WHERE (mirrored_transfers.vanished_at IS NULL);
CREATE VIEW public.open_transfers AS
 SELECT transfers.partner_id,
    transfers.id,
    transfers.external_id,
    transfers.kind,
    transfers.status,
    transfers.network_transaction_id,
    transfers.created_at,
    transfers.updated_at,
    transfers.source_total_amount,
    transfers.source_total_currency_code,
    transfers.source_total_usd_amount,
    transfers.source_total_usd_currency_code,
    transfers.source_subtotal_amount,
    transfers.source_subtotal_currency_code,
    transfers.source_subtotal_usd_amount,
    transfers.source_subtotal_usd_currency_code,
    transfers.destination_total_amount,
    transfers.destination_total_currency_code,
    transfers.destination_total_usd_amount,
    transfers.destination_total_usd_currency_code,
    transfers.wallet_address,
    transfers.payment_method,
    transfers.service_fee_amount,
    transfers.service_fee_currency_code,
    transfers.service_fee_usd_amount,
    transfers.service_fee_usd_currency_code,
    transfers.network_fee_amount,
    transfers.network_fee_currency_code,
    transfers.network_fee_usd_amount,
    transfers.network_fee_usd_currency_code,
    transfers.extra,
    transfers.created_ns,
    transfers.created_day,
    transfers.is_open,
    transfers.first_seen_at,
    transfers.seen_at,
    transfers.body
   FROM public.transfers
  WHERE (transfers.is_open = 1);
CREATE TABLE public.pending_deliveries (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    created_ns bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    change_id bigint NOT NULL
);
CREATE TABLE public.request_rates (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    spacing_us bigint NOT NULL,
    next_us bigint NOT NULL
);
CREATE TABLE public.sync_leases (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    token bigint NOT NULL,
    holder text NOT NULL,
    expires_us bigint NOT NULL
);
CREATE TABLE public.sync_runs (
    run_id bigint NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    started_at text NOT NULL COLLATE pg_catalog."C",
    ended_at text COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    pages bigint NOT NULL,
    transfers bigint NOT NULL,
    created bigint NOT NULL,
    changed bigint NOT NULL,
    vanished bigint NOT NULL,
    state_id text COLLATE pg_catalog."C"
);
ALTER TABLE public.sync_runs ALTER COLUMN run_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sync_runs_run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sync_windows (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    window_id text NOT NULL COLLATE pg_catalog."C",
    run_id bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    remaining text NOT NULL,
    attempts bigint NOT NULL,
    pages bigint NOT NULL,
    transfers bigint NOT NULL,
    claim text COLLATE pg_catalog."C",
    worker text COLLATE pg_catalog."C",
    error text,
    claimed_at text COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.transfer_changes (
    change_id bigint NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    run_id bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    seen_at text NOT NULL COLLATE pg_catalog."C",
    previous_status text COLLATE pg_catalog."C",
    status text COLLATE pg_catalog."C",
    changed text NOT NULL,
    since_at text NOT NULL COLLATE pg_catalog."C",
    first_seen_at text NOT NULL COLLATE pg_catalog."C",
    created_ns bigint NOT NULL,
    created_day text NOT NULL COLLATE pg_catalog."C",
    was_open bigint NOT NULL,
    body text,
    CONSTRAINT transfer_changes_check CHECK (((seen_at > since_at) OR (event = 'created'::text)))
);
ALTER TABLE public.transfer_changes ALTER COLUMN change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.transfer_changes_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.transfer_lateness (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    seen_day text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    bucket bigint NOT NULL,
    transfers bigint NOT NULL,
    longest_ns bigint NOT NULL
);
CREATE VIEW public.vanished_transfers AS
 SELECT mirrored_transfers.partner_id,
    mirrored_transfers.id,
    mirrored_transfers.external_id,
    mirrored_transfers.kind,
    mirrored_transfers.status,
    mirrored_transfers.network_transaction_id,
    mirrored_transfers.created_at,
    mirrored_transfers.updated_at,
    mirrored_transfers.source_total_amount,
    mirrored_transfers.source_total_currency_code,
    mirrored_transfers.source_total_usd_amount,
    mirrored_transfers.source_total_usd_currency_code,
    mirrored_transfers.source_subtotal_amount,
    mirrored_transfers.source_subtotal_currency_code,
    mirrored_transfers.source_subtotal_usd_amount,
    mirrored_transfers.source_subtotal_usd_currency_code,
    mirrored_transfers.destination_total_amount,
    mirrored_transfers.destination_total_currency_code,
    mirrored_transfers.destination_total_usd_amount,
    mirrored_transfers.destination_total_usd_currency_code,
    mirrored_transfers.wallet_address,
    mirrored_transfers.payment_method,
    mirrored_transfers.service_fee_amount,
    mirrored_transfers.service_fee_currency_code,
    mirrored_transfers.service_fee_usd_amount,
    mirrored_transfers.service_fee_usd_currency_code,
    mirrored_transfers.network_fee_amount,
    mirrored_transfers.network_fee_currency_code,
    mirrored_transfers.network_fee_usd_amount,
    mirrored_transfers.network_fee_usd_currency_code,
    mirrored_transfers.extra,
    mirrored_transfers.vanished_at,
    mirrored_transfers.body
   FROM public.mirrored_transfers
  WHERE (mirrored_transfers.vanished_at IS NOT NULL);
INSERT INTO public.mirror_clock VALUES (1, 1795478400000000);
INSERT INTO public.mirror_migrations VALUES (1, '2026-11-24T00:00:00.000Z', 'mirror');
INSERT INTO public.mirror_objects VALUES ('function decimal_sum', 'a9a3dacfa889116db76d996fca858feb878e0ee85557e2fe3b6302e474d5c62e');
INSERT INTO public.mirror_objects VALUES ('views', '28a46f7546ef641634611824dfe74de1dd26b7283609401efbf72e044b795784');
INSERT INTO public.mirrored_transfers VALUES ('demo', 1725497999999000000, '2024-09-05', 0, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', NULL, '{"id":"tr_4","kind":"cash_in","status":"declined","created_at":"2024-09-04T23:59:59.999-01:00","colour":{"deep":["red",null,1.5]},"bank_fee":{"amount":"0.30","currency_code":"fiat/USD"},"settled_at":"2024-09-05T08:00:00.500Z"}', 'tr_4', NULL, 'cash_in', 'declined', NULL, '2024-09-04T23:59:59.999-01:00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"colour":{"deep":["red",null,1.5]},"bank_fee":{"amount":"0.30","currency_code":"fiat/USD"},"settled_at":"2024-09-05T08:00:00.500Z"}');
INSERT INTO public.mirrored_transfers VALUES ('demo', 1725321600000000001, '2024-09-03', 1, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', NULL, '{"id":"tr_3","external_id":"=HYPERLINK(\"x\")","kind":"gift","status":"held","created_at":"2024-09-03T00:00:00.000000001Z","payment_method":"two\nlines, \"quoted\"; ünïcödé"}', 'tr_3', '=HYPERLINK("x")', 'gift', 'held', NULL, '2024-09-03T00:00:00.000000001Z', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'two
lines, "quoted"; ünïcödé', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.mirrored_transfers VALUES ('demo', 1725235200000000000, '2024-09-02', 1, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', NULL, '{"id":"tr_2","kind":"cash_out","status":"executing","created_at":"2024-09-02T00:00:00Z"}', 'tr_2', NULL, 'cash_out', 'executing', NULL, '2024-09-02T00:00:00Z', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.mirrored_transfers VALUES ('demo', 1725184800120000000, '2024-09-01', 0, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', NULL, '{"id":"tr_1","external_id":"order-1","kind":"cash_in","status":"complete","network_transaction_id":"0xabc","created_at":"2024-09-01T10:00:00.120Z","updated_at":"2024-09-01T12:30:00.123456789+02:00","source_total":{"amount":"105.00","currency_code":"fiat/USD"},"source_total_usd":{"amount":"105.0","currency_code":"fiat/USD"},"source_subtotal":{"amount":"100","currency_code":"fiat/USD"},"source_subtotal_usd":{"amount":"100.00","currency_code":"fiat/USD"},"destination_total":{"amount":"0.031234567890123456","currency_code":"ethereum/ETH"},"destination_total_usd":{"amount":"-0.50","currency_code":"fiat/USD"},"wallet_address":"0xdef","payment_method":"card","service_fee":{"amount":"4.00","currency_code":"fiat/USD"},"service_fee_usd":{"amount":"4.00","currency_code":"fiat/USD"},"network_fee":{"amount":"999999999999999999.999999999999999999","currency_code":"fiat/USD"},"network_fee_usd":{"amount":"1.000000000000000000","currency_code":"fiat/USD"}}', 'tr_1', 'order-1', 'cash_in', 'complete', '0xabc', '2024-09-01T10:00:00.120Z', '2024-09-01T12:30:00.123456789+02:00', 105.00, 'fiat/USD', 105.0, 'fiat/USD', 100, 'fiat/USD', 100.00, 'fiat/USD', 0.031234567890123456, 'ethereum/ETH', -0.50, 'fiat/USD', '0xdef', 'card', 4.00, 'fiat/USD', 4.00, 'fiat/USD', 999999999999999999.999999999999999999, 'fiat/USD', 1.000000000000000000, 'fiat/USD', NULL);
INSERT INTO public.sync_runs OVERRIDING SYSTEM VALUE VALUES (1, 'demo', 'backfill', '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', 'complete', 1, 4, 4, 0, 0, 'backfill');
INSERT INTO public.sync_runs OVERRIDING SYSTEM VALUE VALUES (2, 'demo', 'pass', '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z', 'complete', 1, 1, 0, 0, 0, 'pass');
INSERT INTO public.sync_state VALUES ('demo', 'capabilities', '{"supported_countries":[{"country_code":"BR","country_name":"Brazil"},{"country_code":"DE","country_name":"Germany"},{"country_code":"ES","country_name":"Spain"},{"country_code":"FR","country_name":"France"},{"country_code":"GB","country_name":"United Kingdom"},{"country_code":"IE","country_name":"Ireland"},{"country_code":"MX","country_name":"Mexico"},{"country_code":"NL","country_name":"Netherlands"},{"country_code":"PH","country_name":"Philippines"},{"country_code":"US","country_name":"United States"}],"supported_currencies":[{"currency_code":"fiat/USD","legacy_currency_code":"USD","currency_name":"US Dollar"},{"currency_code":"fiat/EUR","legacy_currency_code":"EUR","currency_name":"Euro"},{"currency_code":"fiat/GBP","legacy_currency_code":"GBP","currency_name":"Pound Sterling"},{"currency_code":"fiat/MXN","legacy_currency_code":"MXN","currency_name":"Mexican Peso"},{"currency_code":"fiat/BRL","legacy_currency_code":"BRL","currency_name":"Brazilian Real"},{"currency_code":"fiat/PHP","legacy_currency_code":"PHP","currency_name":"Philippine Peso"},{"currency_code":"bitcoin/BTC","legacy_currency_code":"BTC","currency_name":"Bitcoin"},{"currency_code":"ethereum/ETH","legacy_currency_code":"ETH","currency_name":"Ether"},{"currency_code":"ethereum/USDC","legacy_currency_code":"USDC","currency_name":"USD Coin on Ethereum"},{"currency_code":"ethereum/DAI","legacy_currency_code":"DAI","currency_name":"Dai"},{"currency_code":"polygon/POL","legacy_currency_code":"POL","currency_name":"Polygon"},{"currency_code":"polygon/USDC","legacy_currency_code":"USDC","currency_name":"USD Coin on Polygon"},{"currency_code":"solana/SOL","legacy_currency_code":"SOL","currency_name":"Solana"},{"currency_code":"solana/USDC","legacy_currency_code":"USDC","currency_name":"USD Coin on Solana"},{"currency_code":"stellar/USDC","legacy_currency_code":"USDC","currency_name":"USD Coin on Stellar"},{"currency_code":"stellar/XLM","legacy_currency_code":"XLM","currency_name":"Lumen"},{"currency_code":"tron/USDT","legacy_currency_code":"USDT","currency_name":"Tether on Tron"}],"supported_payment_methods":[{"payment_method_code":"ach","payment_method_name":"ACH transfer"},{"payment_method_code":"apple_pay","payment_method_name":"Apple Pay"},{"payment_method_code":"debit_card","payment_method_name":"Debit card"},{"payment_method_code":"faster_payments","payment_method_name":"Faster Payments"},{"payment_method_code":"instapay","payment_method_name":"InstaPay"},{"payment_method_code":"pix","payment_method_name":"Pix"},{"payment_method_code":"sepa","payment_method_name":"SEPA transfer"},{"payment_method_code":"spei","payment_method_name":"SPEI"}],"transfer_limits":{"fiat/USD":{"min_transfer":"5.00","max_transfer":"2500.00"},"fiat/EUR":{"min_transfer":"4.50","max_transfer":"2400.00"},"fiat/GBP":{"min_transfer":"4.00","max_transfer":"2100.00"},"fiat/MXN":{"min_transfer":"80.00","max_transfer":"48000.00"},"fiat/BRL":{"min_transfer":"25.00","max_transfer":"14000.00"},"fiat/PHP":{"min_transfer":"250.00","max_transfer":"150000.00"}}}');
INSERT INTO public.sync_state VALUES ('demo', 'final_statuses', '["complete","declined"]');
INSERT INTO public.sync_state VALUES ('demo', 'backfill', '{"started_at":"2026-11-24T00:00:00.000Z","until":"2026-11-25T00:00:00.000Z","checkpoint":{"version":2,"query":"CreatedAt(lt:2026-11-25T00:00:00.000Z)","transfers":4,"remaining":[]}}');
INSERT INTO public.sync_state VALUES ('demo', 'totals', 'complete');
INSERT INTO public.sync_state VALUES ('demo', 'reread', '{"next":"-9223372036854775808","last":"2026-11-24T00:00:00.000Z","parts":[{"until":"1725494399000000000","at":"2026-11-24T00:00:00.000Z"}]}');
INSERT INTO public.sync_state VALUES ('demo', 'former_final_statuses', '[]');
INSERT INTO public.sync_state VALUES ('demo', 'watermark', '1725497999999000000');
INSERT INTO public.transfer_totals VALUES ('demo', '2024-09-01', 'complete', '{"transfers":1,"currencies":[["ethereum/ETH",1],["fiat/USD",1]],"amounts":{"source_total":[["fiat/USD","fiat/USD",1,"105.00"]],"source_total_usd":[["fiat/USD","fiat/USD",1,"105.0"]],"source_subtotal":[["fiat/USD","fiat/USD",1,"100"]],"source_subtotal_usd":[["fiat/USD","fiat/USD",1,"100.00"]],"destination_total":[["ethereum/ETH","ethereum/ETH",1,"0.031234567890123456"]],"destination_total_usd":[["ethereum/ETH","fiat/USD",1,"-0.50"]],"service_fee":[["fiat/USD","fiat/USD",1,"4.00"]],"service_fee_usd":[["fiat/USD","fiat/USD",1,"4.00"]],"network_fee":[["fiat/USD","fiat/USD",1,"999999999999999999.999999999999999999"]],"network_fee_usd":[["fiat/USD","fiat/USD",1,"1.000000000000000000"]]}}');
INSERT INTO public.transfer_totals VALUES ('demo', '2024-09-02', 'executing', '{"transfers":1,"currencies":[["",1]],"amounts":{}}');
INSERT INTO public.transfer_totals VALUES ('demo', '2024-09-03', 'held', '{"transfers":1,"currencies":[["",1]],"amounts":{}}');
INSERT INTO public.transfer_totals VALUES ('demo', '2024-09-05', 'declined', '{"transfers":1,"currencies":[["",1]],"amounts":{}}');
SELECT pg_catalog.setval('public.sync_runs_run_id_seq', 2, true);
SELECT pg_catalog.setval('public.transfer_changes_change_id_seq', 1, false);
ALTER TABLE ONLY public.mirror_clock
    ADD CONSTRAINT mirror_clock_pkey PRIMARY KEY (singleton);
ALTER TABLE ONLY public.mirror_migrations
    ADD CONSTRAINT mirror_migrations_pkey PRIMARY KEY (migration_id);
ALTER TABLE ONLY public.mirror_objects
    ADD CONSTRAINT mirror_objects_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.mirrored_transfers
    ADD CONSTRAINT mirrored_transfers_pkey PRIMARY KEY (id, partner_id);
ALTER TABLE ONLY public.pending_deliveries
    ADD CONSTRAINT pending_deliveries_change_id_key UNIQUE (change_id);
ALTER TABLE ONLY public.pending_deliveries
    ADD CONSTRAINT pending_deliveries_pkey PRIMARY KEY (partner_id, created_ns, id, change_id);
ALTER TABLE ONLY public.request_rates
    ADD CONSTRAINT request_rates_pkey PRIMARY KEY (partner_id);
ALTER TABLE ONLY public.sync_leases
    ADD CONSTRAINT sync_leases_pkey PRIMARY KEY (partner_id);
ALTER TABLE ONLY public.sync_runs
    ADD CONSTRAINT sync_runs_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.sync_state
    ADD CONSTRAINT sync_state_pkey PRIMARY KEY (partner_id, name);
ALTER TABLE ONLY public.sync_windows
    ADD CONSTRAINT sync_windows_pkey PRIMARY KEY (partner_id, window_id);
ALTER TABLE ONLY public.transfer_changes
    ADD CONSTRAINT transfer_changes_pkey PRIMARY KEY (change_id);
ALTER TABLE ONLY public.transfer_lateness
    ADD CONSTRAINT transfer_lateness_pkey PRIMARY KEY (partner_id, seen_day, kind, bucket);
ALTER TABLE ONLY public.transfer_totals
    ADD CONSTRAINT transfer_totals_pkey PRIMARY KEY (partner_id, created_day, status);
CREATE INDEX transfer_changes_by_time ON public.transfer_changes USING btree (seen_at);
CREATE INDEX transfer_changes_by_transfer ON public.transfer_changes USING btree (partner_id, id, change_id);
CREATE INDEX transfer_totals_by_month ON public.transfer_totals USING btree (partner_id, substr(created_day, 1, 7));
CREATE INDEX transfers_by_creation ON public.mirrored_transfers USING btree (partner_id, created_ns, id, is_open);
CREATE INDEX transfers_by_day ON public.mirrored_transfers USING btree (partner_id, created_day);
CREATE INDEX transfers_by_external_id ON public.mirrored_transfers USING hash (external_id);
CREATE INDEX transfers_by_hash ON public.mirrored_transfers USING hash (network_transaction_id);
CREATE INDEX transfers_by_wallet ON public.mirrored_transfers USING hash (wallet_address);
CREATE INDEX transfers_open ON public.mirrored_transfers USING btree (partner_id, created_ns) WHERE ((is_open = 1) OR (vanished_at IS NOT NULL));
