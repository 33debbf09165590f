-- The tables of a mirror in SQLite. Views and computed columns are not here: the program makes them anew when they change.
-- This file is frozen once it is released. A new column is a new file.

-- The transfers as they were last seen, vanished ones too. Every other field of body is a computed column.
CREATE TABLE mirrored_transfers (
  partner_id TEXT NOT NULL,
  created_ns INTEGER NOT NULL,
  created_day TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  first_seen_at TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  vanished_at TEXT,
  body TEXT NOT NULL,
  id TEXT NOT NULL,
  external_id TEXT,
  status TEXT NOT NULL,
  network_transaction_id TEXT,
  wallet_address TEXT,
  PRIMARY KEY (id, partner_id)
) STRICT;

CREATE INDEX transfers_by_creation ON mirrored_transfers (partner_id, created_ns, id, is_open);

-- Those that a pass asks for again.
CREATE INDEX transfers_open ON mirrored_transfers (partner_id, created_ns) WHERE is_open = 1 OR vanished_at IS NOT NULL;

-- What was different, and the version that ended by it. History never runs backwards.
CREATE TABLE transfer_changes (
  change_id INTEGER PRIMARY KEY AUTOINCREMENT,
  partner_id TEXT NOT NULL,
  id TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  previous_status TEXT,
  status TEXT,
  changed TEXT NOT NULL,
  since_at TEXT NOT NULL,
  first_seen_at TEXT NOT NULL,
  created_ns INTEGER NOT NULL,
  created_day TEXT NOT NULL,
  was_open INTEGER NOT NULL,
  body TEXT,
  CHECK (seen_at > since_at OR event = 'created')
) STRICT;

CREATE INDEX transfer_changes_by_transfer ON transfer_changes (partner_id, id, change_id);

CREATE INDEX transfer_changes_by_time ON transfer_changes (seen_at);

-- What the transfers of a day and a status add up to, as JSON: their number, that of each currency, and for each field
-- the currency it is grouped by, its currency code, the number of amounts, and their sum.
CREATE TABLE transfer_totals (
  partner_id TEXT NOT NULL,
  created_day TEXT NOT NULL,
  status TEXT NOT NULL,
  totals TEXT NOT NULL,
  PRIMARY KEY (partner_id, created_day, status)
) STRICT;

-- How long after their creation transfers were first seen by passes, by day and by powers of two of a second.
CREATE TABLE transfer_lateness (
  partner_id TEXT NOT NULL,
  seen_day TEXT NOT NULL,
  kind TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  transfers INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  PRIMARY KEY (partner_id, seen_day, kind, bucket)
) STRICT;

-- Each complete run leaves the history in a state with an id, drawn at random: a copy that goes on by itself has others.
CREATE TABLE sync_runs (
  run_id INTEGER PRIMARY KEY AUTOINCREMENT,
  partner_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  outcome TEXT NOT NULL,
  pages INTEGER NOT NULL,
  transfers INTEGER NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  vanished INTEGER NOT NULL,
  state_id TEXT
) STRICT;

CREATE TABLE sync_state (
  partner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (partner_id, name)
) STRICT;

-- Who syncs a partner: only the holder of the latest token may write.
CREATE TABLE sync_leases (
  partner_id TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  holder TEXT NOT NULL,
  expires_us INTEGER NOT NULL
) STRICT;

-- The instant of what was seen last, in microseconds since 1970. It only grows.
CREATE TABLE mirror_clock (
  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
  last_us INTEGER NOT NULL
) STRICT;

INSERT INTO mirror_clock (singleton, last_us) VALUES (1, 0);

-- The parts of a first load that is spread over workers. remaining is a checkpoint, claim says who may write.
CREATE TABLE sync_windows (
  partner_id TEXT NOT NULL,
  window_id TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  remaining TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  transfers INTEGER NOT NULL,
  claim TEXT,
  worker TEXT,
  error TEXT,
  claimed_at TEXT,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (partner_id, window_id)
) STRICT;

CREATE TABLE request_rates (
  partner_id TEXT PRIMARY KEY,
  spacing_us INTEGER NOT NULL,
  next_us INTEGER NOT NULL
) STRICT;

-- The events that were not delivered yet, in the order of their delivery.
CREATE TABLE pending_deliveries (
  partner_id TEXT NOT NULL,
  created_ns INTEGER NOT NULL,
  id TEXT NOT NULL,
  change_id INTEGER NOT NULL UNIQUE,
  PRIMARY KEY (partner_id, created_ns, id, change_id)
) STRICT;

-- The views, functions and computed columns that are there, with a hash of their text.
CREATE TABLE mirror_objects (
  name TEXT PRIMARY KEY,
  hash TEXT NOT NULL
) STRICT;
