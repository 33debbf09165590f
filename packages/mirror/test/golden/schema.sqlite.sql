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
      kind TEXT AS (json_extract(body, '$.kind')) VIRTUAL,
      status TEXT NOT NULL,
      network_transaction_id TEXT AS (json_extract(body, '$.network_transaction_id')) VIRTUAL,
      created_at TEXT AS (json_extract(body, '$.created_at')) VIRTUAL,
      updated_at TEXT AS (json_extract(body, '$.updated_at')) VIRTUAL,
      source_total_amount TEXT AS (json_extract(body, '$.source_total.amount')) VIRTUAL,
      source_total_currency_code TEXT AS (json_extract(body, '$.source_total.currency_code')) VIRTUAL,
      source_total_usd_amount TEXT AS (json_extract(body, '$.source_total_usd.amount')) VIRTUAL,
      source_total_usd_currency_code TEXT AS (json_extract(body, '$.source_total_usd.currency_code')) VIRTUAL,
      source_subtotal_amount TEXT AS (json_extract(body, '$.source_subtotal.amount')) VIRTUAL,
      source_subtotal_currency_code TEXT AS (json_extract(body, '$.source_subtotal.currency_code')) VIRTUAL,
      source_subtotal_usd_amount TEXT AS (json_extract(body, '$.source_subtotal_usd.amount')) VIRTUAL,
      source_subtotal_usd_currency_code TEXT AS (json_extract(body, '$.source_subtotal_usd.currency_code')) VIRTUAL,
      destination_total_amount TEXT AS (json_extract(body, '$.destination_total.amount')) VIRTUAL,
      destination_total_currency_code TEXT AS (json_extract(body, '$.destination_total.currency_code')) VIRTUAL,
      destination_total_usd_amount TEXT AS (json_extract(body, '$.destination_total_usd.amount')) VIRTUAL,
      destination_total_usd_currency_code TEXT AS (json_extract(body, '$.destination_total_usd.currency_code')) VIRTUAL,
      wallet_address TEXT AS (json_extract(body, '$.wallet_address')) VIRTUAL,
      payment_method TEXT AS (json_extract(body, '$.payment_method')) VIRTUAL,
      service_fee_amount TEXT AS (json_extract(body, '$.service_fee.amount')) VIRTUAL,
      service_fee_currency_code TEXT AS (json_extract(body, '$.service_fee.currency_code')) VIRTUAL,
      service_fee_usd_amount TEXT AS (json_extract(body, '$.service_fee_usd.amount')) VIRTUAL,
      service_fee_usd_currency_code TEXT AS (json_extract(body, '$.service_fee_usd.currency_code')) VIRTUAL,
      network_fee_amount TEXT AS (json_extract(body, '$.network_fee.amount')) VIRTUAL,
      network_fee_currency_code TEXT AS (json_extract(body, '$.network_fee.currency_code')) VIRTUAL,
      network_fee_usd_amount TEXT AS (json_extract(body, '$.network_fee_usd.amount')) VIRTUAL,
      network_fee_usd_currency_code TEXT AS (json_extract(body, '$.network_fee_usd.currency_code')) VIRTUAL,
      extra TEXT AS (nullif(json_remove(body, '$.id', '$.external_id', '$.kind', '$.status', '$.network_transaction_id', '$.created_at', '$.updated_at', '$.source_total', '$.source_total_usd', '$.source_subtotal', '$.source_subtotal_usd', '$.destination_total', '$.destination_total_usd', '$.wallet_address', '$.payment_method', '$.service_fee', '$.service_fee_usd', '$.network_fee', '$.network_fee_usd'), '{}')) VIRTUAL,
      PRIMARY KEY (partner_id, id)
    ) STRICT;

CREATE INDEX transfers_by_creation ON mirrored_transfers (partner_id, created_ns, id, is_open);

CREATE INDEX transfers_open ON mirrored_transfers (partner_id, created_ns) WHERE is_open = 1;

CREATE INDEX transfers_by_external_id ON mirrored_transfers (external_id) WHERE external_id IS NOT NULL;

CREATE INDEX transfers_by_id ON mirrored_transfers (id);

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
      body TEXT
    ) STRICT;

CREATE INDEX transfer_changes_by_transfer ON transfer_changes (partner_id, id, change_id);

CREATE INDEX transfer_changes_by_time ON transfer_changes (seen_at);

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
      vanished INTEGER NOT NULL
    ) STRICT;

CREATE TABLE sync_state (
      partner_id TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (partner_id, name)
    ) STRICT;

CREATE TABLE failed_deliveries (
      partner_id TEXT NOT NULL,
      change_id INTEGER NOT NULL,
      PRIMARY KEY (partner_id, change_id)
    ) STRICT;

CREATE VIEW transfers AS SELECT partner_id, id, external_id, kind, status, network_transaction_id, created_at, updated_at, source_total_amount, source_total_currency_code, source_total_usd_amount, source_total_usd_currency_code, source_subtotal_amount, source_subtotal_currency_code, source_subtotal_usd_amount, source_subtotal_usd_currency_code, destination_total_amount, destination_total_currency_code, destination_total_usd_amount, destination_total_usd_currency_code, wallet_address, payment_method, service_fee_amount, service_fee_currency_code, service_fee_usd_amount, service_fee_usd_currency_code, network_fee_amount, network_fee_currency_code, network_fee_usd_amount, network_fee_usd_currency_code, extra, created_ns, created_day, is_open, first_seen_at, seen_at, body FROM mirrored_transfers WHERE vanished_at IS NULL;

CREATE VIEW open_transfers AS SELECT * FROM transfers WHERE is_open = 1;

CREATE VIEW daily_totals AS WITH parts AS (SELECT partner_id, created_day, status, currency_code, CASE WHEN source_total LIKE '-%' THEN -1 ELSE 1 END * CAST(ltrim(source_total, '-') AS INTEGER) AS source_total_0, CASE WHEN source_total LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(source_total, '-'), instr(ltrim(source_total, '-') || '.', '.') + 1) || '000000000000000000000000000'), 1, 9) AS INTEGER) AS source_total_1, CASE WHEN source_total LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(source_total, '-'), instr(ltrim(source_total, '-') || '.', '.') + 1) || '000000000000000000000000000'), 10, 9) AS INTEGER) AS source_total_2, CASE WHEN source_total LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(source_total, '-'), instr(ltrim(source_total, '-') || '.', '.') + 1) || '000000000000000000000000000'), 19, 9) AS INTEGER) AS source_total_3 FROM (SELECT partner_id, created_day, status, source_total_currency_code AS currency_code, source_total_amount AS source_total FROM transfers WHERE source_total_amount IS NOT NULL) AS amounts),
sums AS (SELECT partner_id, created_day, status, currency_code, COUNT(*) AS transfers, SUM(source_total_0) AS source_total_0, SUM(source_total_1) AS source_total_1, SUM(source_total_2) AS source_total_2, SUM(source_total_3) AS source_total_3 FROM parts GROUP BY partner_id, created_day, status, currency_code),
low AS (SELECT partner_id, created_day, status, currency_code, transfers, source_total_0, source_total_1, source_total_2 + (source_total_3 - ((source_total_3 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS source_total_2, ((source_total_3 % 1000000000 + 1000000000) % 1000000000) AS source_total_3 FROM sums),
middle AS (SELECT partner_id, created_day, status, currency_code, transfers, source_total_0, source_total_1 + (source_total_2 - ((source_total_2 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS source_total_1, ((source_total_2 % 1000000000 + 1000000000) % 1000000000) AS source_total_2, source_total_3 FROM low),
high AS (SELECT partner_id, created_day, status, currency_code, transfers, source_total_0 + (source_total_1 - ((source_total_1 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS source_total_0, ((source_total_1 % 1000000000 + 1000000000) % 1000000000) AS source_total_1, source_total_2, source_total_3 FROM middle)
SELECT partner_id, created_day, status, currency_code, transfers, CASE WHEN source_total_0 IS NULL THEN NULL ELSE rtrim(rtrim(CASE WHEN source_total_0 >= 0 THEN printf('%s%d.%09d%09d%09d', '', source_total_0, source_total_1, source_total_2, source_total_3)
    WHEN source_total_1 = 0 AND source_total_2 = 0 AND source_total_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -source_total_0, 0, 0, 0)
    WHEN source_total_2 = 0 AND source_total_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -source_total_0 - 1, 1000000000 - source_total_1, 0, 0)
    WHEN source_total_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -source_total_0 - 1, 999999999 - source_total_1, 1000000000 - source_total_2, 0)
    ELSE printf('%s%d.%09d%09d%09d', '-', -source_total_0 - 1, 999999999 - source_total_1, 999999999 - source_total_2, 1000000000 - source_total_3) END, '0'), '.') END AS source_total FROM high;

CREATE VIEW fees_by_currency AS WITH parts AS (SELECT partner_id, created_month, status, currency_code, CASE WHEN service_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(ltrim(service_fee, '-') AS INTEGER) AS service_fee_0, CASE WHEN service_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(service_fee, '-'), instr(ltrim(service_fee, '-') || '.', '.') + 1) || '000000000000000000000000000'), 1, 9) AS INTEGER) AS service_fee_1, CASE WHEN service_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(service_fee, '-'), instr(ltrim(service_fee, '-') || '.', '.') + 1) || '000000000000000000000000000'), 10, 9) AS INTEGER) AS service_fee_2, CASE WHEN service_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(service_fee, '-'), instr(ltrim(service_fee, '-') || '.', '.') + 1) || '000000000000000000000000000'), 19, 9) AS INTEGER) AS service_fee_3, CASE WHEN network_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(ltrim(network_fee, '-') AS INTEGER) AS network_fee_0, CASE WHEN network_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(network_fee, '-'), instr(ltrim(network_fee, '-') || '.', '.') + 1) || '000000000000000000000000000'), 1, 9) AS INTEGER) AS network_fee_1, CASE WHEN network_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(network_fee, '-'), instr(ltrim(network_fee, '-') || '.', '.') + 1) || '000000000000000000000000000'), 10, 9) AS INTEGER) AS network_fee_2, CASE WHEN network_fee LIKE '-%' THEN -1 ELSE 1 END * CAST(substr((substr(ltrim(network_fee, '-'), instr(ltrim(network_fee, '-') || '.', '.') + 1) || '000000000000000000000000000'), 19, 9) AS INTEGER) AS network_fee_3 FROM (SELECT partner_id, substr(created_day, 1, 7) AS created_month, status, service_fee_currency_code AS currency_code, service_fee_amount AS service_fee, NULL AS network_fee FROM transfers WHERE service_fee_amount IS NOT NULL UNION ALL SELECT partner_id, substr(created_day, 1, 7) AS created_month, status, network_fee_currency_code AS currency_code, NULL AS service_fee, network_fee_amount AS network_fee FROM transfers WHERE network_fee_amount IS NOT NULL) AS fees),
sums AS (SELECT partner_id, created_month, status, currency_code, SUM(service_fee_0) AS service_fee_0, SUM(service_fee_1) AS service_fee_1, SUM(service_fee_2) AS service_fee_2, SUM(service_fee_3) AS service_fee_3, SUM(network_fee_0) AS network_fee_0, SUM(network_fee_1) AS network_fee_1, SUM(network_fee_2) AS network_fee_2, SUM(network_fee_3) AS network_fee_3 FROM parts GROUP BY partner_id, created_month, status, currency_code),
low AS (SELECT partner_id, created_month, status, currency_code, service_fee_0, service_fee_1, service_fee_2 + (service_fee_3 - ((service_fee_3 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS service_fee_2, ((service_fee_3 % 1000000000 + 1000000000) % 1000000000) AS service_fee_3, network_fee_0, network_fee_1, network_fee_2 + (network_fee_3 - ((network_fee_3 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS network_fee_2, ((network_fee_3 % 1000000000 + 1000000000) % 1000000000) AS network_fee_3 FROM sums),
middle AS (SELECT partner_id, created_month, status, currency_code, service_fee_0, service_fee_1 + (service_fee_2 - ((service_fee_2 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS service_fee_1, ((service_fee_2 % 1000000000 + 1000000000) % 1000000000) AS service_fee_2, service_fee_3, network_fee_0, network_fee_1 + (network_fee_2 - ((network_fee_2 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS network_fee_1, ((network_fee_2 % 1000000000 + 1000000000) % 1000000000) AS network_fee_2, network_fee_3 FROM low),
high AS (SELECT partner_id, created_month, status, currency_code, service_fee_0 + (service_fee_1 - ((service_fee_1 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS service_fee_0, ((service_fee_1 % 1000000000 + 1000000000) % 1000000000) AS service_fee_1, service_fee_2, service_fee_3, network_fee_0 + (network_fee_1 - ((network_fee_1 % 1000000000 + 1000000000) % 1000000000)) / 1000000000 AS network_fee_0, ((network_fee_1 % 1000000000 + 1000000000) % 1000000000) AS network_fee_1, network_fee_2, network_fee_3 FROM middle)
SELECT partner_id, created_month, status, currency_code, CASE WHEN service_fee_0 IS NULL THEN NULL ELSE rtrim(rtrim(CASE WHEN service_fee_0 >= 0 THEN printf('%s%d.%09d%09d%09d', '', service_fee_0, service_fee_1, service_fee_2, service_fee_3)
    WHEN service_fee_1 = 0 AND service_fee_2 = 0 AND service_fee_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -service_fee_0, 0, 0, 0)
    WHEN service_fee_2 = 0 AND service_fee_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -service_fee_0 - 1, 1000000000 - service_fee_1, 0, 0)
    WHEN service_fee_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -service_fee_0 - 1, 999999999 - service_fee_1, 1000000000 - service_fee_2, 0)
    ELSE printf('%s%d.%09d%09d%09d', '-', -service_fee_0 - 1, 999999999 - service_fee_1, 999999999 - service_fee_2, 1000000000 - service_fee_3) END, '0'), '.') END AS service_fee, CASE WHEN network_fee_0 IS NULL THEN NULL ELSE rtrim(rtrim(CASE WHEN network_fee_0 >= 0 THEN printf('%s%d.%09d%09d%09d', '', network_fee_0, network_fee_1, network_fee_2, network_fee_3)
    WHEN network_fee_1 = 0 AND network_fee_2 = 0 AND network_fee_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -network_fee_0, 0, 0, 0)
    WHEN network_fee_2 = 0 AND network_fee_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -network_fee_0 - 1, 1000000000 - network_fee_1, 0, 0)
    WHEN network_fee_3 = 0 THEN printf('%s%d.%09d%09d%09d', '-', -network_fee_0 - 1, 999999999 - network_fee_1, 1000000000 - network_fee_2, 0)
    ELSE printf('%s%d.%09d%09d%09d', '-', -network_fee_0 - 1, 999999999 - network_fee_1, 999999999 - network_fee_2, 1000000000 - network_fee_3) END, '0'), '.') END AS network_fee FROM high;

CREATE VIEW vanished_transfers AS SELECT partner_id, id, external_id, kind, status, network_transaction_id, created_at, updated_at, source_total_amount, source_total_currency_code, source_total_usd_amount, source_total_usd_currency_code, source_subtotal_amount, source_subtotal_currency_code, source_subtotal_usd_amount, source_subtotal_usd_currency_code, destination_total_amount, destination_total_currency_code, destination_total_usd_amount, destination_total_usd_currency_code, wallet_address, payment_method, service_fee_amount, service_fee_currency_code, service_fee_usd_amount, service_fee_usd_currency_code, network_fee_amount, network_fee_currency_code, network_fee_usd_amount, network_fee_usd_currency_code, extra, vanished_at, body FROM mirrored_transfers WHERE vanished_at IS NOT NULL;

CREATE TABLE transfer_totals (partner_id TEXT NOT NULL, created_day TEXT NOT NULL, status TEXT NOT NULL, field TEXT NOT NULL, currency TEXT NOT NULL, currency_code TEXT NOT NULL, digits INTEGER NOT NULL, amounts INTEGER NOT NULL, limb_1 INTEGER NOT NULL, limb_2 INTEGER NOT NULL, limb_3 INTEGER NOT NULL, limb_4 INTEGER NOT NULL, limb_5 INTEGER NOT NULL, PRIMARY KEY (partner_id, created_day, status, field, currency, currency_code, digits)) STRICT, WITHOUT ROWID;

CREATE TABLE pending_deliveries (
      partner_id TEXT NOT NULL,
      created_ns INTEGER NOT NULL,
      id TEXT NOT NULL,
      change_id INTEGER NOT NULL UNIQUE,
      PRIMARY KEY (partner_id, created_ns, id, change_id)
    ) STRICT;

INSERT INTO pending_deliveries (partner_id, created_ns, id, change_id)
      SELECT partner_id, created_ns, id, change_id FROM transfer_changes
      WHERE change_id IN (SELECT change_id FROM failed_deliveries);

DROP TABLE failed_deliveries;

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
