CREATE TABLE mirrored_transfers (
      partner_id TEXT COLLATE "C" NOT NULL,
      created_ns BIGINT NOT NULL,
      created_day TEXT NOT NULL,
      is_open BIGINT NOT NULL,
      first_seen_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      vanished_at TEXT,
      body TEXT NOT NULL,
      id TEXT COLLATE "C" NOT NULL,
      external_id TEXT,
      kind TEXT NOT NULL,
      status TEXT NOT NULL,
      network_transaction_id TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT,
      source_total_amount NUMERIC,
      source_total_currency_code TEXT,
      source_total_usd_amount NUMERIC,
      source_total_usd_currency_code TEXT,
      source_subtotal_amount NUMERIC,
      source_subtotal_currency_code TEXT,
      source_subtotal_usd_amount NUMERIC,
      source_subtotal_usd_currency_code TEXT,
      destination_total_amount NUMERIC,
      destination_total_currency_code TEXT,
      destination_total_usd_amount NUMERIC,
      destination_total_usd_currency_code TEXT,
      wallet_address TEXT,
      payment_method TEXT,
      service_fee_amount NUMERIC,
      service_fee_currency_code TEXT,
      service_fee_usd_amount NUMERIC,
      service_fee_usd_currency_code TEXT,
      network_fee_amount NUMERIC,
      network_fee_currency_code TEXT,
      network_fee_usd_amount NUMERIC,
      network_fee_usd_currency_code TEXT,
      extra TEXT,
      PRIMARY KEY (partner_id, id)
    );

CREATE INDEX transfers_by_creation ON mirrored_transfers (partner_id, created_ns, id, is_open);

CREATE INDEX transfers_open ON mirrored_transfers (partner_id, created_ns) WHERE is_open = 1;

CREATE INDEX transfers_by_external_id ON mirrored_transfers (external_id) WHERE external_id IS NOT NULL;

CREATE INDEX transfers_by_id ON mirrored_transfers (id);

CREATE TABLE transfer_changes (
      change_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      partner_id TEXT COLLATE "C" NOT NULL,
      id TEXT COLLATE "C" NOT NULL,
      run_id BIGINT NOT NULL,
      event TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      previous_status TEXT,
      status TEXT,
      changed TEXT NOT NULL,
      since_at TEXT NOT NULL,
      first_seen_at TEXT NOT NULL,
      created_ns BIGINT NOT NULL,
      created_day TEXT NOT NULL,
      was_open BIGINT NOT NULL,
      body TEXT
    );

CREATE INDEX transfer_changes_by_transfer ON transfer_changes (partner_id, id, change_id);

CREATE INDEX transfer_changes_by_time ON transfer_changes (seen_at);

CREATE TABLE sync_runs (
      run_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      partner_id TEXT COLLATE "C" NOT NULL,
      kind TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at TEXT,
      outcome TEXT NOT NULL,
      pages BIGINT NOT NULL,
      transfers BIGINT NOT NULL,
      created BIGINT NOT NULL,
      changed BIGINT NOT NULL,
      vanished BIGINT NOT NULL
    );

CREATE TABLE sync_state (
      partner_id TEXT COLLATE "C" NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (partner_id, name)
    );

CREATE TABLE failed_deliveries (
      partner_id TEXT COLLATE "C" NOT NULL,
      change_id BIGINT NOT NULL,
      PRIMARY KEY (partner_id, change_id)
    );

CREATE AGGREGATE decimal_sum (NUMERIC) (SFUNC = numeric_add, STYPE = NUMERIC, FINALFUNC = trim_scale);

CREATE FUNCTION decimal_add (NUMERIC, TEXT) RETURNS NUMERIC LANGUAGE SQL IMMUTABLE STRICT AS 'SELECT $1 + CAST($2 AS NUMERIC)';

CREATE AGGREGATE decimal_sum (TEXT) (SFUNC = decimal_add, STYPE = NUMERIC, INITCOND = '0', FINALFUNC = trim_scale);

CREATE VIEW transfers AS SELECT partner_id, id, external_id, kind, status, network_transaction_id, created_at, updated_at, source_total_amount, source_total_currency_code, source_total_usd_amount, source_total_usd_currency_code, source_subtotal_amount, source_subtotal_currency_code, source_subtotal_usd_amount, source_subtotal_usd_currency_code, destination_total_amount, destination_total_currency_code, destination_total_usd_amount, destination_total_usd_currency_code, wallet_address, payment_method, service_fee_amount, service_fee_currency_code, service_fee_usd_amount, service_fee_usd_currency_code, network_fee_amount, network_fee_currency_code, network_fee_usd_amount, network_fee_usd_currency_code, extra, created_ns, created_day, is_open, first_seen_at, seen_at, body FROM mirrored_transfers WHERE vanished_at IS NULL;

CREATE VIEW open_transfers AS SELECT * FROM transfers WHERE is_open = 1;

CREATE VIEW daily_totals AS SELECT partner_id, created_day, status, currency_code, COUNT(*) AS transfers, trim_scale(SUM(source_total)) AS source_total FROM (SELECT partner_id, created_day, status, source_total_currency_code AS currency_code, source_total_amount AS source_total FROM transfers WHERE source_total_amount IS NOT NULL) AS amounts GROUP BY partner_id, created_day, status, currency_code;

CREATE VIEW fees_by_currency AS SELECT partner_id, created_month, status, currency_code, trim_scale(SUM(service_fee)) AS service_fee, trim_scale(SUM(network_fee)) AS network_fee FROM (SELECT partner_id, substr(created_day, 1, 7) AS created_month, status, service_fee_currency_code AS currency_code, service_fee_amount AS service_fee, CAST(NULL AS NUMERIC) AS network_fee FROM transfers WHERE service_fee_amount IS NOT NULL UNION ALL SELECT partner_id, substr(created_day, 1, 7) AS created_month, status, network_fee_currency_code AS currency_code, CAST(NULL AS NUMERIC) AS service_fee, network_fee_amount AS network_fee FROM transfers WHERE network_fee_amount IS NOT NULL) AS fees GROUP BY partner_id, created_month, status, currency_code;

CREATE VIEW vanished_transfers AS SELECT partner_id, id, external_id, kind, status, network_transaction_id, created_at, updated_at, source_total_amount, source_total_currency_code, source_total_usd_amount, source_total_usd_currency_code, source_subtotal_amount, source_subtotal_currency_code, source_subtotal_usd_amount, source_subtotal_usd_currency_code, destination_total_amount, destination_total_currency_code, destination_total_usd_amount, destination_total_usd_currency_code, wallet_address, payment_method, service_fee_amount, service_fee_currency_code, service_fee_usd_amount, service_fee_usd_currency_code, network_fee_amount, network_fee_currency_code, network_fee_usd_amount, network_fee_usd_currency_code, extra, vanished_at, body FROM mirrored_transfers WHERE vanished_at IS NOT NULL;

CREATE TABLE transfer_totals (partner_id TEXT COLLATE "C" NOT NULL, created_day TEXT COLLATE "C" NOT NULL, status TEXT COLLATE "C" NOT NULL, field TEXT COLLATE "C" NOT NULL, currency TEXT COLLATE "C" NOT NULL, currency_code TEXT COLLATE "C" NOT NULL, digits BIGINT NOT NULL, amounts BIGINT NOT NULL, limb_1 BIGINT NOT NULL, limb_2 BIGINT NOT NULL, limb_3 BIGINT NOT NULL, limb_4 BIGINT NOT NULL, limb_5 BIGINT NOT NULL, PRIMARY KEY (partner_id, created_day, status, field, currency, currency_code, digits));

CREATE TABLE pending_deliveries (
      partner_id TEXT COLLATE "C" NOT NULL,
      created_ns BIGINT NOT NULL,
      id TEXT COLLATE "C" NOT NULL,
      change_id BIGINT NOT NULL UNIQUE,
      PRIMARY KEY (partner_id, created_ns, id, change_id)
    );

INSERT INTO pending_deliveries (partner_id, created_ns, id, change_id)
      SELECT partner_id, created_ns, id, change_id FROM transfer_changes
      WHERE change_id IN (SELECT change_id FROM failed_deliveries);

DROP TABLE failed_deliveries;

CREATE TABLE sync_windows (
      partner_id TEXT COLLATE "C" NOT NULL,
      window_id TEXT COLLATE "C" NOT NULL,
      run_id BIGINT NOT NULL,
      state TEXT NOT NULL,
      remaining TEXT NOT NULL,
      attempts BIGINT NOT NULL,
      pages BIGINT NOT NULL,
      transfers BIGINT NOT NULL,
      claim TEXT,
      worker TEXT,
      error TEXT,
      claimed_at TEXT,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (partner_id, window_id)
    );

CREATE TABLE request_rates (
      partner_id TEXT COLLATE "C" PRIMARY KEY,
      spacing_us BIGINT NOT NULL,
      next_us BIGINT NOT NULL
    );

CREATE OR REPLACE FUNCTION decimal_add (NUMERIC, TEXT) RETURNS NUMERIC LANGUAGE SQL IMMUTABLE AS 'SELECT CASE WHEN $2 IS NULL THEN $1 ELSE COALESCE($1, 0) + CAST($2 AS NUMERIC) END';

CREATE OR REPLACE AGGREGATE decimal_sum (TEXT) (SFUNC = decimal_add, STYPE = NUMERIC, FINALFUNC = trim_scale);
