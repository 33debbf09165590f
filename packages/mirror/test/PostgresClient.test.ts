/** What a mirror in PostgreSQL asks of its sessions. That the database understands it is tested with a real one. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Options, TransferMirror } from "../src/TransferMirror.ts"
import * as PostgresWire from "./PostgresWire.ts"

let wire: PostgresWire.PostgresWire
beforeEach(async () => {
  wire = await PostgresWire.start()
})
afterEach(() => wire.close())

const open = <A, E>(use: (mirror: TransferMirror["Service"]) => Effect.Effect<A, E>, options: Options): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(TransferMirror, use), TransferMirror.layer(wire.address, options)))

const asked = () => wire.sessions.flatMap(({ statements }) => statements)

test("a reader finds that there is no mirror, and creates nothing", async () => {
  await expect(open(() => Effect.void, { readOnly: true })).rejects.toThrow(/there is no mirror: make one with/)
  expect(asked().length).toBeGreaterThan(0)
  expect(asked().filter((statement) => /^(?:CREATE|INSERT|DROP)/.test(statement))).toEqual([])
})

test("a writer's sessions have the name of the program, and create what is missing", async () => {
  await open(({ ping }) => ping, {})
  expect(wire.sessions.length).toBeGreaterThan(0)
  for (const { settings } of wire.sessions) {
    expect(settings.get("application_name")).toBe("transfers")
    expect(settings.get("user")).toBe("me")
  }
  expect(asked().some((statement) => statement.startsWith("CREATE TABLE mirrored_transfers"))).toBe(true)
})

test("a password that the address lacks comes from PGPASSWORD, as it is", async () => {
  const password = "p@ss/w?rd#%41&:"
  const env = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { PGPASSWORD: password } }))
  const asked = (address: string) =>
    TransferMirror.pipe(
      Effect.flatMap(({ ping }) => ping),
      Effect.provide(TransferMirror.layer(address)),
      Effect.provide(env),
      Effect.runPromise,
    )
  await asked(wire.address.replace(":secret@", "@"))
  expect(new Set(wire.sessions.map((session) => session.password))).toEqual(new Set([password]))
  wire.sessions.splice(0)
  await asked(wire.address)
  expect(new Set(wire.sessions.map((session) => session.password))).toEqual(new Set(["secret"]))
})

test("an error has the reason that the system gives, and no password", async () => {
  await wire.close()
  const error = await open(() => Effect.void, {}).then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toMatchObject({ _tag: "MirrorError" })
  expect(String(error)).toMatch(/^MirrorError: postgres:\/\/me@127\.0\.0\.1:\d+\/transfers: /)
  expect(String(error)).not.toContain("secret")
  wire = await PostgresWire.start()
})
