-- Makes a role that can read a mirror in PostgreSQL and nothing else: run it as the owner of the mirror, in its database.
--   psql postgres://owner@db.example/transfers --file reader-role.sql
-- Then set a password with \password transfers_reader, and query with postgres://transfers_reader@db.example/transfers.

CREATE ROLE transfers_reader LOGIN;

-- A question that takes longer, or a client that goes away in the middle of one, holds nothing up.
ALTER ROLE transfers_reader SET statement_timeout = '5min';
ALTER ROLE transfers_reader SET idle_in_transaction_session_timeout = '1min';
ALTER ROLE transfers_reader SET default_transaction_read_only = on;

-- Views run with the rights of their owner, so the transfers themselves need no grant.
GRANT SELECT ON transfers, open_transfers, vanished_transfers, daily_totals, fees_by_currency TO transfers_reader;

-- How current and how complete the mirror is, and the history for --as-of. None of them can be changed.
GRANT SELECT ON mirror_migrations, mirror_clock, sync_state, sync_runs, sync_windows, sync_leases TO transfers_reader;
GRANT SELECT ON mirrored_transfers, transfer_changes, transfer_totals, transfer_lateness TO transfers_reader;
