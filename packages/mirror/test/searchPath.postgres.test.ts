/** The schema in which a mirror's names are looked up, whatever the search_path of a role or an address says. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { TransferMirror } from "../src/TransferMirror.ts"
import * as Lab from "./Lab.ts"
import * as ReaderLab from "./ReaderLab.ts"

const reader = ReaderLab.ofFile()
const { ask } = ReaderLab

describe("a search_path that names other schemas", () => {
  const masked = (schema: string) => `CREATE SCHEMA ${schema}; GRANT USAGE ON SCHEMA ${schema} TO PUBLIC;
    CREATE VIEW ${schema}.transfers AS SELECT 'forged'::text AS id;
    CREATE TABLE ${schema}.mirrored_transfers (); CREATE TABLE ${schema}.mirror_clock ();
    CREATE TABLE ${schema}.sync_state (partner_id text, name text, value text);
    INSERT INTO ${schema}.sync_state VALUES ('forged', 'watermark', 'none');
    CREATE FUNCTION ${schema}.count(text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint';
    CREATE FUNCTION ${schema}.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
    CREATE OPERATOR ${schema}.= (FUNCTION = ${schema}.never, LEFTARG = text, RIGHTARG = text);
    GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO PUBLIC`
  const options = (path: string) => `?options=-c%20search_path%3D${encodeURIComponent(path)}`
  const count = `SELECT COUNT(id) AS n FROM transfers WHERE partner_id = '${Lab.partner_id}'::text`
  const asOf = Timestamp.fromDate(new Date(Date.now() + 86_400_000))

  test.each([
    ["of the role", "ALTER ROLE transfers_reader SET search_path = shadows, public", ""],
    [
      "of the role, before the functions of PostgreSQL",
      "ALTER ROLE transfers_reader SET search_path = shadows, public, pg_catalog",
      "",
    ],
    ["of its own name", "ALTER SCHEMA shadows RENAME TO transfers_reader", ""],
    ["of the address", "SELECT 1", options("shadows,public")],
  ])("%s leads to the mirror's tables, functions and operators all the same", async (_, setting, parameters) => {
    await reader.server.execute(reader.lab.address, masked("shadows"))
    await reader.server.execute(reader.lab.address, setting)
    try {
      const address = `${reader.asReader()}${parameters}`
      expect(await ask(address, count)).toEqual([{ n: 60n }])
      expect(await ask(address, count, {}, { asOf })).toEqual([{ n: 60n }])
      const partners = Effect.flatMap(TransferMirror, (mirror) => mirror.partners)
      const open = TransferMirror.layer(address, { readOnly: true })
      expect(await Effect.runPromise(Effect.provide(partners, open))).toEqual([Lab.partner_id])
      expect(await Lab.mirrored({ ...reader.lab, address }, { readOnly: true })).toEqual(Lab.served(reader.lab))
    } finally {
      await reader.server.execute(reader.lab.address, "ALTER ROLE transfers_reader RESET search_path")
      await reader.server.execute(reader.lab.address, "DROP SCHEMA IF EXISTS shadows, transfers_reader CASCADE")
    }
  })

  test("leads to a mirror in a schema of its own, which a sync makes there", async () => {
    const own = {
      ...Lab.make(`${reader.lab.address}${options('"My own"').replace("%20own", "%5C%20own")}`, { count: 20 }),
    }
    await reader.server.execute(
      reader.lab.address,
      'CREATE SCHEMA "My own"; CREATE TABLE "My own".test_clock AS TABLE test_clock',
    )
    try {
      await Lab.sync(own)
      expect(await Lab.mirrored(own)).toEqual(Lab.served(own))
      expect(await Lab.mirrored(own, { asOf })).toEqual(Lab.served(own))
      const asked = "SELECT (SELECT COUNT(*) FROM transfers) AS here, (SELECT COUNT(*) FROM public.transfers) AS there"
      expect(await ask(own.address, asked, { allowSuperuser: true })).toEqual([{ here: 20n, there: 60n }])
    } finally {
      await reader.server.execute(reader.lab.address, 'DROP SCHEMA "My own" CASCADE')
    }
  })

  test("that leads to a schema in which every role may create is rejected, with what to do", async () => {
    const attacker = new URL(reader.lab.address)
    attacker.username = "attacker"
    await reader.server.execute(
      reader.lab.address,
      "CREATE ROLE attacker LOGIN; GRANT CREATE ON SCHEMA public TO PUBLIC",
    )
    // A better match for `numeric * integer` than that of PostgreSQL.
    await reader.server.execute(
      attacker.href,
      `CREATE FUNCTION forged(numeric, integer) RETURNS numeric LANGUAGE sql AS 'SELECT 0::numeric';
      CREATE OPERATOR * (FUNCTION = forged, LEFTARG = numeric, RIGHTARG = integer)`,
    )
    const rejection = {
      kind: "usage",
      reason:
        'every role may create functions and operators in the schema public, which would run with your rights: REVOKE CREATE ON SCHEMA "public" FROM PUBLIC',
    }
    try {
      await expect(Lab.sync(reader.lab)).rejects.toMatchObject(rejection)
      await expect(ask(reader.asReader(), count)).rejects.toMatchObject(rejection)
    } finally {
      await reader.server.execute(
        reader.lab.address,
        "DROP OWNED BY attacker CASCADE; DROP ROLE attacker; REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      )
    }
  })

  test("that leads to two mirrors is rejected, with what to write", async () => {
    await reader.server.execute(reader.lab.address, `${masked("shadows")}; CREATE TABLE shadows.mirror_migrations ()`)
    try {
      await expect(ask(`${reader.asReader()}${options("shadows,public")}`, count)).rejects.toMatchObject({
        kind: "usage",
        reason:
          "its search_path names the schemas shadows and public, which hold a mirror each: name one, as in ?options=-c%20search_path%3Dshadows",
      })
      expect(await ask(`${reader.asReader()}${options("public")}`, count)).toEqual([{ n: 60n }])
    } finally {
      await reader.server.execute(reader.lab.address, "DROP SCHEMA shadows CASCADE")
    }
  })

  test("that names another schema before the mirror's is rejected for who writes", async () => {
    await reader.server.execute(reader.lab.address, masked("shadows"))
    try {
      await expect(
        Lab.sync({ ...reader.lab, address: `${reader.lab.address}${options("shadows,public")}` }),
      ).rejects.toMatchObject({
        kind: "usage",
        reason: expect.stringContaining(
          "its search_path names the schemas shadows before public, which holds the mirror",
        ),
      })
    } finally {
      await reader.server.execute(reader.lab.address, "DROP SCHEMA shadows CASCADE")
    }
  })
})

test("a mirror of which a policy may hide rows is rejected, with what to write", async () => {
  const forced = "ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"
  await reader.server.execute(
    reader.lab.address,
    `ALTER TABLE mirrored_transfers ${forced}; ALTER TABLE sync_state ${forced}`,
  )
  const reason = expect.stringMatching(
    /^row-level security is on for mirrored_transfers and sync_state, .*: ALTER TABLE/,
  )
  try {
    await expect(Lab.mirrored(reader.lab)).rejects.toMatchObject({ kind: "usage", reason })
    await expect(ask(reader.asReader(), "SELECT COUNT(*) FROM transfers")).rejects.toMatchObject({
      kind: "usage",
      reason,
    })
  } finally {
    for (const table of ["mirrored_transfers", "sync_state"])
      await reader.server.execute(reader.lab.address, `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`)
  }
  // A table that is not the mirror's may have policies.
  await reader.server.execute(reader.lab.address, `ALTER TABLE test_clock ENABLE ROW LEVEL SECURITY`)
  expect(await ask(reader.asReader(), "SELECT COUNT(*) AS n FROM transfers")).toEqual([{ n: 60n }])
})
