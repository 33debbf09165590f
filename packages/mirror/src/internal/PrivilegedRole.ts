/**
 * Whether a session of PostgreSQL may write files and run programs of the database's machine, which a read-only
 * transaction does not prevent. A session may become each role that either of its two roles is a member of, by SET ROLE
 * within a statement, and what it logged in as is one RESET ROLE away.
 */
export const condition = `EXISTS (SELECT FROM pg_catalog.pg_roles AS privileged
    CROSS JOIN (VALUES (session_user), (current_user)) AS own (name)
    WHERE (privileged.rolsuper OR privileged.rolname IN ('pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program'))
      AND pg_catalog.pg_has_role(own.name, privileged.oid, 'MEMBER'))`
