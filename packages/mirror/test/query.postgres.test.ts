/** Who may query a mirror in PostgreSQL, for how long, and through what. */
import { execFile } from "node:child_process"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import * as PgBouncer from "../../../scripts/test/PgBouncer.ts"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as MirrorCheck from "../src/MirrorCheck.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import * as Lab from "./Lab.ts"
import * as ReaderLab from "./ReaderLab.ts"

const reader = ReaderLab.ofFile()
const { ask } = ReaderLab

test("a superuser is rejected, unless it is allowed, and the error names the role to use", async () => {
  await expect(ask(reader.lab.address, "SELECT 1 AS one")).rejects.toThrow(
    /the role tests can write files .* connect as a role made by sql\/reader-role\.sql, or pass --allow-superuser/,
  )
  expect(await ask(reader.lab.address, "SELECT 1 AS one", { allowSuperuser: true })).toEqual([{ one: 1 }])
})

test("a result is rejected if more than 256 MiB are sent for it", async () => {
  const large = "SELECT repeat('x', 10000000) AS text FROM generate_series(1, 27)"
  await expect(ask(reader.asReader(), large)).rejects.toThrow(/the result is too large: .* 256 MiB/)
})

test("a rollback is rejected, also where a session reads by default, and so is what would stay in it", async () => {
  for (const statement of ["rollback", "end", "begin", "abort and chain", "PREPARE p AS SELECT 1"]) {
    await expect(ask(reader.asReader(), statement), statement).rejects.toThrow(/is not a query: give one that reads/)
  }
})

test("a role that may become a superuser is rejected, whoever it is at the moment", async () => {
  const as = (role: string, options = "") => {
    const url = new URL(reader.lab.address)
    url.username = role
    return `${url.href}${options}`
  }
  const roleOf = async (address: string) =>
    (await Effect.runPromise(MirrorCheck.check(address))).find(({ check }) => check === "role")
  await reader.server.execute(
    reader.lab.address,
    `CREATE ROLE boss SUPERUSER; CREATE ROLE between; CREATE ROLE runner; CREATE ROLE alice LOGIN; CREATE ROLE carol LOGIN;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO alice, carol, between;
    GRANT boss TO between; GRANT between TO alice; GRANT pg_execute_server_program TO runner; GRANT runner TO carol;
    CREATE ROLE bob; GRANT SELECT ON ALL TABLES IN SCHEMA public TO bob`,
  )
  try {
    const become = (role: string) => `DO $$ BEGIN SET LOCAL ROLE ${role}; END $$`
    for (const [address, name, role] of [
      [as("alice"), "alice", "boss"],
      [as("carol"), "carol", "runner"],
      // The superuser of the tests, as somebody else.
      [as("tests", "?options=-c%20role%3Dbob"), "tests", "tests"],
      [as("alice", "?options=-c%20role%3Dbetween"), "alice", "boss"],
    ] as const) {
      await expect(ask(address, become(role)), address).rejects.toThrow(`the role ${name} can write files`)
      expect(await roleOf(address), address).toMatchObject({
        verdict: "warning",
        found: expect.stringContaining(`${name} can write files`),
      })
    }
    await reader.server.execute(reader.lab.address, "REVOKE between FROM alice")
    expect(await ask(as("alice"), "SELECT 1 AS one")).toEqual([{ one: 1 }])
    await expect(ask(as("alice"), become("boss"))).rejects.toThrow("permission denied")
    expect(await roleOf(as("alice"))).toMatchObject({ found: expect.stringContaining("alice can only read") })
  } finally {
    await reader.server.execute(
      reader.lab.address,
      "DROP OWNED BY boss, between, runner, alice, carol, bob; DROP ROLE boss, between, runner, alice, carol, bob",
    )
  }
})

test("the role of reader-role.sql reads all views, now and at an instant, and can change and see nothing else", async () => {
  for (const view of ["transfers", "open_transfers", "vanished_transfers", "daily_totals", "fees_by_currency"]) {
    await ask(reader.asReader(), `SELECT COUNT(*) FROM ${view}`)
  }
  const asOf = Timestamp.fromDate(new Date())
  expect(await ask(reader.asReader(), "SELECT COUNT(*) AS n FROM transfers", {}, { asOf })).toEqual([{ n: 60n }])
  await expect(ask(reader.asReader(), "SELECT * FROM pending_deliveries")).rejects.toThrow("permission denied")
  await expect(ask(reader.asReader(), "LOCK TABLE mirrored_transfers IN ACCESS EXCLUSIVE MODE")).rejects.toThrow(
    "permission denied",
  )
  await expect(reader.server.execute(reader.asReader(), "DELETE FROM sync_state")).rejects.toThrow(
    /read-only|permission denied/,
  )
})

test("doctor's check tells a superuser, a role that can write, one without a limit, and the reader", async () => {
  const verdict = async (address: string) => {
    const checks = await Effect.runPromise(MirrorCheck.check(address))
    expect(checks.map(({ check }) => check)).toEqual(["mirror", "role", "clock", "freshness"])
    return checks.find(({ check }) => check === "role")
  }
  expect(await verdict(reader.lab.address)).toMatchObject({
    verdict: "warning",
    found: expect.stringContaining("tests can write files"),
    advice: "To query, connect as a role that can only read, made by sql/reader-role.sql.",
  })
  expect(await verdict(reader.asReader())).toMatchObject({
    verdict: "ok",
    found: "transfers_reader can only read, for 5min at the most",
  })
  await reader.server.execute(reader.lab.address, "ALTER ROLE transfers_reader RESET statement_timeout")
  expect(await verdict(reader.asReader())).toMatchObject({
    verdict: "warning",
    found: expect.stringContaining("without a time limit"),
  })
  await reader.server.execute(reader.lab.address, "GRANT DELETE ON mirrored_transfers TO transfers_reader")
  expect(await verdict(reader.asReader())).toMatchObject({
    verdict: "warning",
    found: "transfers_reader can change the mirror",
  })
  await reader.server.execute(
    reader.lab.address,
    "REVOKE DELETE ON mirrored_transfers FROM transfers_reader; ALTER ROLE transfers_reader SET statement_timeout = '5min'",
  )
  const away = await Effect.runPromise(MirrorCheck.check("postgres://u:top-secret@127.0.0.1:1/x"))
  expect(away).toMatchObject([{ check: "mirror", verdict: "failed" }])
  expect(JSON.stringify(away)).not.toContain("top-secret")
})

test("a reader calls no function that does something outside of its transaction", async () => {
  for (const statement of [
    "SELECT nextval(pg_get_serial_sequence('sync_runs', 'run_id'))",
    "SELECT lo_export(1, '/tmp/stolen')",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT pg_ls_dir('.')",
    "COPY transfers TO '/tmp/stolen'",
    "COPY transfers TO PROGRAM 'true'",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tests'",
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'tests'",
  ]) {
    await expect(ask(reader.asReader(), statement), statement).rejects.toMatchObject({
      _tag: "MirrorError",
      kind: "rejected",
    })
  }
  const left =
    "SELECT (SELECT COUNT(*) FROM pg_largeobject_metadata) + COUNT(*) AS n FROM pg_locks WHERE locktype = 'advisory'"
  await ask(reader.asReader(), "SELECT pg_advisory_lock(9)::text AS a, lo_create(0) AS b").catch(() => {})
  expect(await ask(reader.lab.address, left, { allowSuperuser: true })).toEqual([{ n: 0n }])
})

describe("a value is what PostgreSQL writes", () => {
  // As psql shows them.
  const values = {
    "'infinity'::timestamptz": "infinity",
    "'-infinity'::timestamp": "-infinity",
    "'infinity'::date": "infinity",
    "'294276-12-31 23:59:59.999999'::timestamp": "294276-12-31 23:59:59.999999",
    "timestamptz '2024-01-01 00:00:00.999999+00' AT TIME ZONE 'UTC'": "2024-01-01 00:00:00.999999",
    "'4713-01-01 BC'::date": "4713-01-01 BC",
    "ARRAY['infinity'::timestamptz, NULL]": "{infinity,NULL}",
    "json_build_object('a', 12345678901234567.10, 'b', 1e-18::numeric)":
      '{"a" : 12345678901234567.10, "b" : 0.000000000000000001}',
    "to_jsonb(12345678901234567.10)": "12345678901234567.10",
    '\'{"a": 1, "a":  1.0}\'::json': '{"a": 1, "a":  1.0}',
    "'0.65'::money": "$0.65",
    "'12.30'::money": "$12.30",
    "int4range(1,10)": "[1,10)",
    "row(1, 'a b', NULL)": '(1,"a b",)',
    "row(NULL)": "()",
    "point(2,2.5)": "(2,2.5)",
    "'(0,1)'::tid": "(0,1)",
    "'0/16B3748'::pg_lsn": "0/16B3748",
    "'08:00:2b:01:02:03'::macaddr": "08:00:2b:01:02:03",
    "'10.0.0.1'::inet": "10.0.0.1",
    "B'101'": "101",
    "to_tsvector('simple', 'a b')": "'a':1 'b':2",
    "'$.a[*]'::jsonpath": '$."a"[*]',
    "time '12:30'": "12:30:00",
    "interval '1 month 2 hours'": "1 mon 02:00:00",
    "'\\x00ff'::bytea": "\\x00ff",
    "'7c9e6679-7425-40de-944b-e07fc1f90ae7'::uuid": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "ARRAY[1, NULL, 3]": "{1,NULL,3}",
    "'pg_class'::regclass": "pg_class",
    "'x'::\"char\"": "x",
    "'ab '::char(4)": "ab  ",
    "0.10::numeric(20,4)": "0.1000",
    "'NaN'::numeric": "NaN",
    "0.1::float4": 0.1,
    "'-Infinity'::float4": -Infinity,
    "0.1::float8": 0.1,
    "'-Infinity'::float8": -Infinity,
    "9007199254740993": 9007199254740993n,
    "2::int2": 2,
    true: true,
    "NULL::timestamptz": null,
    "NULL::json": null,
  }
  const columns = Object.keys(values).map((sql, index) => ({ sql: `${sql} AS "c""${index}"`, name: `c"${index}` }))
  const expected = Object.fromEntries(Object.values(values).map((value, index) => [columns[index]?.name, value]))

  test("of each type, in one row and alone", async () => {
    expect(await ask(reader.asReader(), `SELECT ${columns.map(({ sql }) => sql).join(",\n")}`)).toEqual([expected])
    for (const { sql, name } of columns) {
      expect(await ask(reader.asReader(), `SELECT ${sql}`), sql).toEqual([{ [name]: expected[name] }])
    }
  })

  test.each([
    "SELECT '0.65'::money AS a;",
    "SELECT '0.65'::money AS a ; -- in /* all; */\n;\n",
    "SELECT '0.65'::money AS a -- in all",
    "/* ; */ WITH one AS (SELECT '0.65'::money AS a) TABLE one;",
    "VALUES ('0.65'::money) OFFSET 0",
  ])("in %s", async (statement) => {
    expect((await ask(reader.asReader(), statement)).map((row) => Object.values(row))).toEqual([["$0.65"]])
  })

  test("in the order of the statement, with the place of its mistakes", async () => {
    const statement = "SELECT i, make_interval(secs => i) AS a FROM generate_series(1, 3) AS i ORDER BY i DESC"
    expect(await ask(reader.asReader(), statement)).toEqual([
      { i: 3, a: "00:00:03" },
      { i: 2, a: "00:00:02" },
      { i: 1, a: "00:00:01" },
    ])
    await expect(ask(reader.asReader(), "SELECT now(), 'x'::date")).rejects.toMatchObject({
      details: expect.stringMatching(/^ {2}SELECT now\(\), 'x'::date\n {16}\^$/),
    })
  })

  test("of a row, and of what only stands alone", async () => {
    const [row] = await ask(reader.asReader(), "SELECT t FROM sync_state AS t ORDER BY name LIMIT 1")
    expect(row).toEqual({ t: expect.stringMatching(/^\(\S+,\S+,.*\)$/) })
    const [plan] = await ask(reader.asReader(), "EXPLAIN (FORMAT JSON) SELECT 1")
    expect(JSON.parse(String(plan?.["QUERY PLAN"]))).toMatchObject([{ Plan: { "Node Type": "Result" } }])
    await expect(ask(reader.asReader(), "EXPLAIN (FORMAT XML) SELECT 1")).rejects.toThrow(
      'the column "QUERY PLAN" is of a type that only a SELECT shows: give one',
    )
  })
})

test("a statement that takes too long is ended by the database", async () => {
  const started = performance.now()
  await expect(ask(reader.asReader(), "SELECT pg_sleep(60)", { timeout: Duration.millis(300) })).rejects.toThrow(
    "statement timeout",
  )
  expect(performance.now() - started).toBeLessThan(20_000)
})

test("an interrupted query is gone from the server", async () => {
  const slow = Effect.flatMap(TransferMirror, ({ query }) => query("SELECT pg_sleep(60)")).pipe(
    Effect.provide(TransferMirror.layer(reader.asReader(), { readOnly: true })),
    Effect.timeoutOption("1 second"),
  )
  await Effect.runPromise(slow)
  const active = "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND state = 'active'"
  expect(await ask(reader.lab.address, active, { allowSuperuser: true })).toEqual([{ n: 0n }])
})

describe("behind PgBouncer in transaction mode", () => {
  let pooler: PgBouncer.PgBouncer
  let pooled: Lab.Lab
  beforeAll(async () => {
    const address = await reader.server.createDatabase()
    await reader.server.execute(address, "CREATE TABLE test_clock (millis BIGINT); INSERT INTO test_clock VALUES (0)")
    pooler = await PgBouncer.start(address)
    pooled = Lab.make(pooler.address, { count: 200 })
  }, 60_000)
  afterAll(() => pooler.stop())

  test("a mirror is loaded, kept current and read, and no query changes it", async () => {
    await Lab.sync(pooled)
    expect(await Lab.mirrored(pooled)).toEqual(Lab.served(pooled))
    for (const statement of ["DELETE FROM mirrored_transfers", "COMMIT", "SET TRANSACTION READ WRITE"]) {
      await expect(ask(pooler.address, statement, { allowSuperuser: true }), statement).rejects.toMatchObject({
        _tag: "MirrorError",
      })
    }
    const [one, two] = await Promise.allSettled([Lab.sync(pooled), Lab.sync(pooled)])
    // One of them, or both one after the other.
    expect([one.status, two.status]).toContain("fulfilled")
    for (const { reason } of [one, two].filter((result) => result.status === "rejected")) {
      expect(reason).toMatchObject({ kind: "busy" })
    }
    const asOf = Timestamp.fromDate(new Date(Date.now() + 86_400_000))
    expect(await Lab.mirrored(pooled, { asOf })).toEqual(Lab.served(pooled))
  })

  test("a query leaves no lock in a session that others get", async () => {
    const locks = "SELECT COUNT(*) AS n FROM pg_locks WHERE locktype = 'advisory'"
    const lock = "SELECT pg_advisory_lock(7)::text AS a, pg_try_advisory_lock_shared(8) AS b"
    await ask(pooler.address, lock, { allowSuperuser: true })
    expect(await ask(pooler.address, locks, { allowSuperuser: true })).toEqual([{ n: 0n }])
  })

  test("an interrupted query is gone from the server, at once", async () => {
    const slow = Effect.flatMap(TransferMirror, ({ query }) => query("SELECT pg_sleep(77)", { allowSuperuser: true }))
    const open = Effect.provide(slow, TransferMirror.layer(pooler.address, { readOnly: true }))
    const started = performance.now()
    await Effect.runPromise(Effect.timeoutOption(open, "2 seconds"))
    expect(performance.now() - started).toBeLessThan(3500)
    const active = "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(77)' AND state = 'active'"
    await vi.waitUntil(async () => (await ask(reader.lab.address, active, { allowSuperuser: true }))[0]?.["n"] === 0n, {
      timeout: 5000,
    })
  })

  test("what another client left in both sessions answers for no table of the mirror", async () => {
    const tables = ["mirrored_transfers", "sync_state", "sync_runs", "mirror_objects", "transfer_changes", "transfers"]
    const left = tables.map((name) => `CREATE TEMP TABLE ${name} (forged int)`)
    const address = pooler.address.replace("prepare=false", "")
    await reader.server.execute(address, `CREATE SCHEMA shadows; CREATE TABLE shadows.mirror_migrations ()`)
    const leave = `${left.join("; ")}; SET search_path TO shadows, public; SELECT pg_sleep(1)`
    await Promise.all([0, 1].map(() => reader.server.execute(address, leave)))
    expect(await Lab.sync(pooled)).toMatchObject([{ kind: "pass" }])
    expect(await Lab.mirrored(pooled, { readOnly: true })).toEqual(Lab.served(pooled))
    const asOf = Timestamp.fromDate(new Date(Date.now() + 86_400_000))
    expect(await Lab.mirrored(pooled, { asOf })).toEqual(Lab.served(pooled))
    for (const [open, others] of [
      [{ readOnly: true }, "mirrored_transfers"],
      [{ asOf }, "transfers"],
    ] as const) {
      const count = `SELECT COUNT(*) AS n FROM transfers JOIN ${others} AS others USING (partner_id, id)`
      expect(await ask(pooler.address, count, { allowSuperuser: true }, open)).toEqual([{ n: 200n }])
    }
  })
})

describe("a database that is spoken to by TLS", () => {
  let folder: string
  let secure: Postgres.Server
  let address: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mirror-tls-"))
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")]
    const request = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    await promisify(execFile)("openssl", [...request.split(" "), "-keyout", key, "-out", certificate])
    await chmod(folder, 0o755)
    await chmod(key, 0o600)
    if (process.getuid?.() === 0) await promisify(execFile)("chown", ["nobody", key])
    secure = await Postgres.start(["fsync=off", "ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`])
    address = await secure.createDatabase()
  }, 60_000)
  afterAll(async () => {
    await secure.stop()
    await rm(folder, { recursive: true })
  })

  const isEncrypted = (host: string, parameters: string) => {
    const url = new URL(address)
    url.hostname = host
    url.search = parameters
    const encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    return ask(url.href, encrypted, { allowSuperuser: true }, {})
  }

  test("verifies the certificate and its name, by the authority that is named", async () => {
    const authority = `sslmode=verify-full&sslrootcert=${join(folder, "cert.pem")}`
    expect(await isEncrypted("localhost", authority)).toEqual([{ ssl: true }])
    expect(await isEncrypted("localhost", "sslmode=disable")).toEqual([{ ssl: false }])
    await expect(isEncrypted("localhost", "sslmode=verify-full")).rejects.toMatchObject({ _tag: "MirrorError" })
    // The certificate has another name.
    await expect(isEncrypted("127.0.0.1", authority)).rejects.toMatchObject({ _tag: "MirrorError" })
    await expect(isEncrypted("localhost", "sslmode=verify-full&sslrootcert=missing.pem")).rejects.toThrow(
      "sslrootcert: missing.pem cannot be read",
    )
  })
})
