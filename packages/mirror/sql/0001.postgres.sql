-- The tables of a mirror in PostgreSQL. Views and functions are not here: the program makes them anew when they change.
-- This file is frozen once it is released. A new column is a new file.
-- Every text is compared byte for byte, as SQLite does, whatever the language of the database.

-- The transfers as they were last seen, vanished ones too. All columns but the first eight derive from body.
CREATE TABLE mirrored_transfers (
  partner_id TEXT COLLATE "C" NOT NULL,
  created_ns BIGINT NOT NULL,
  created_day TEXT COLLATE "C" NOT NULL,
  is_open BIGINT NOT NULL,
  first_seen_at TEXT COLLATE "C" NOT NULL,
  seen_at TEXT COLLATE "C" NOT NULL,
  vanished_at TEXT COLLATE "C",
  body TEXT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  external_id TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  network_transaction_id TEXT COLLATE "C",
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C",
  source_total_amount NUMERIC,
  source_total_currency_code TEXT COLLATE "C",
  source_total_usd_amount NUMERIC,
  source_total_usd_currency_code TEXT COLLATE "C",
  source_subtotal_amount NUMERIC,
  source_subtotal_currency_code TEXT COLLATE "C",
  source_subtotal_usd_amount NUMERIC,
  source_subtotal_usd_currency_code TEXT COLLATE "C",
  destination_total_amount NUMERIC,
  destination_total_currency_code TEXT COLLATE "C",
  destination_total_usd_amount NUMERIC,
  destination_total_usd_currency_code TEXT COLLATE "C",
  wallet_address TEXT COLLATE "C",
  payment_method TEXT COLLATE "C",
  service_fee_amount NUMERIC,
  service_fee_currency_code TEXT COLLATE "C",
  service_fee_usd_amount NUMERIC,
  service_fee_usd_currency_code TEXT COLLATE "C",
  network_fee_amount NUMERIC,
  network_fee_currency_code TEXT COLLATE "C",
  network_fee_usd_amount NUMERIC,
  network_fee_usd_currency_code TEXT COLLATE "C",
  extra TEXT,
  PRIMARY KEY (id, partner_id)
);

CREATE INDEX transfers_by_creation ON mirrored_transfers (partner_id, created_ns, id, is_open);

-- Those that a pass asks for again.
CREATE INDEX transfers_open ON mirrored_transfers (partner_id, created_ns) WHERE is_open = 1 OR vanished_at IS NOT NULL;

-- What was different, and the version that ended by it. History never runs backwards.
CREATE TABLE transfer_changes (
  change_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partner_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  run_id BIGINT NOT NULL,
  event TEXT COLLATE "C" NOT NULL,
  seen_at TEXT COLLATE "C" NOT NULL,
  previous_status TEXT COLLATE "C",
  status TEXT COLLATE "C",
  changed TEXT NOT NULL,
  since_at TEXT COLLATE "C" NOT NULL,
  first_seen_at TEXT COLLATE "C" NOT NULL,
  created_ns BIGINT NOT NULL,
  created_day TEXT COLLATE "C" NOT NULL,
  was_open BIGINT NOT NULL,
  body TEXT,
  CHECK (seen_at > since_at OR event = 'created')
);

CREATE INDEX transfer_changes_by_transfer ON transfer_changes (partner_id, id, change_id);

CREATE INDEX transfer_changes_by_time ON transfer_changes (seen_at);

-- What the transfers of a day and a status add up to, as JSON: their number, that of each currency, and for each field
-- the currency it is grouped by, its currency code, the number of amounts, and their sum.
CREATE TABLE transfer_totals (
  partner_id TEXT COLLATE "C" NOT NULL,
  created_day TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  totals TEXT NOT NULL,
  PRIMARY KEY (partner_id, created_day, status)
);

-- For the fees of a month. SQLite looks at all days fast enough.
CREATE INDEX transfer_totals_by_month ON transfer_totals (partner_id, substr(created_day, 1, 7));

-- How long after their creation transfers were first seen by passes, by day and by powers of two of a second.
CREATE TABLE transfer_lateness (
  partner_id TEXT COLLATE "C" NOT NULL,
  seen_day TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  bucket BIGINT NOT NULL,
  transfers BIGINT NOT NULL,
  longest_ns BIGINT NOT NULL,
  PRIMARY KEY (partner_id, seen_day, kind, bucket)
);

-- Each complete run leaves the history in a state with an id, drawn at random: a copy that goes on by itself has others.
CREATE TABLE sync_runs (
  run_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partner_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  started_at TEXT COLLATE "C" NOT NULL,
  ended_at TEXT COLLATE "C",
  outcome TEXT COLLATE "C" NOT NULL,
  pages BIGINT NOT NULL,
  transfers BIGINT NOT NULL,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  vanished BIGINT NOT NULL,
  state_id TEXT COLLATE "C"
);

CREATE TABLE sync_state (
  partner_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (partner_id, name)
);

-- Who syncs a partner: only the holder of the latest token may write.
CREATE TABLE sync_leases (
  partner_id TEXT COLLATE "C" PRIMARY KEY,
  token BIGINT NOT NULL,
  holder TEXT NOT NULL,
  expires_us BIGINT NOT NULL
);

-- The instant of what was seen last, in microseconds since 1970. It only grows.
CREATE TABLE mirror_clock (
  singleton BIGINT PRIMARY KEY CHECK (singleton = 1),
  last_us BIGINT NOT NULL
);

INSERT INTO mirror_clock (singleton, last_us) VALUES (1, 0);

-- The parts of a first load that is spread over workers. remaining is a checkpoint, claim says who may write.
CREATE TABLE sync_windows (
  partner_id TEXT COLLATE "C" NOT NULL,
  window_id TEXT COLLATE "C" NOT NULL,
  run_id BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  remaining TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  pages BIGINT NOT NULL,
  transfers BIGINT NOT NULL,
  claim TEXT COLLATE "C",
  worker TEXT COLLATE "C",
  error TEXT,
  claimed_at TEXT COLLATE "C",
  updated_at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (partner_id, window_id)
);

CREATE TABLE request_rates (
  partner_id TEXT COLLATE "C" PRIMARY KEY,
  spacing_us BIGINT NOT NULL,
  next_us BIGINT NOT NULL
);

-- The events that were not delivered yet, in the order of their delivery.
CREATE TABLE pending_deliveries (
  partner_id TEXT COLLATE "C" NOT NULL,
  created_ns BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  change_id BIGINT NOT NULL UNIQUE,
  PRIMARY KEY (partner_id, created_ns, id, change_id)
);

-- The views, functions and computed columns that are there, with a hash of their text.
CREATE TABLE mirror_objects (
  name TEXT COLLATE "C" PRIMARY KEY,
  hash TEXT COLLATE "C" NOT NULL
);
