/** What a mirror in PostgreSQL asks of its sessions. That the database understands it is tested with a real one. */
import { inspect } from "node:util"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import * as PostgresWire from "../../../scripts/test/PostgresWire.ts"
import * as WorkQueue from "../src/internal/WorkQueue.ts"
import { type Options, TransferMirror } from "../src/TransferMirror.ts"

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

/** A server whose answers a test replaces. */
const hostile = async (answer: PostgresWire.Answer) => {
  await wire.close()
  wire = await PostgresWire.start(answer)
}

const password = "S3cret/p@ss w0rd+ü"

describe("a password that the database echoes", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64")
  const percent = encodeURIComponent(password)
  const forms = {
    "as it is": password,
    "in the address": `postgres://me:${percent}@db/transfers`,
    "in JSON": JSON.stringify({ password }),
    "as a parameter": new URLSearchParams({ password }).toString(),
    "in Base64": base64(password),
    "in Base64 after the name": base64(`me:${password}`),
    "in a message of SASL": base64(`n,,n=me,p=${password}`),
    "in hexadecimal": Buffer.from(password).toString("hex"),
  }
  const given: Readonly<Record<string, () => readonly [string, Readonly<Record<string, string>>]>> = {
    "the address": () => [wire.address.replace(":secret@", `:${percent}@`), {}],
    "its parameter": () => [`${wire.address.replace(":secret@", "@")}&password=${percent}`, {}],
    PGPASSWORD: () => [wire.address.replace(":secret@", "@"), { PGPASSWORD: password }],
  }
  const moments = { "when it was sent": "p", "after a statement": "E" }

  test.each(
    Object.keys(given).flatMap((from) =>
      Object.entries(moments).map(([moment, type]) => [from, moment, type] as const),
    ),
  )("from %s, %s, is in no error and no span", async (from, _, type) => {
    for (const [form, text] of Object.entries(forms)) {
      let isAsked = false
      await hostile((asked) => {
        if (asked.type !== type || isAsked) return undefined
        isAsked = true
        return PostgresWire.error(`no: ${text}`)
      })
      const [address = "", env = {}] = given[from]?.() ?? []
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        },
      })
      const failure = await TransferMirror.pipe(
        Effect.flatMap(({ query }) => query("SELECT 1")),
        Effect.provide(TransferMirror.layer(address)),
        Effect.flip,
        Effect.withTracer(tracer),
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
        Effect.timeout("8 seconds"),
        Effect.runPromise,
      )
      const told = spans.map(({ status }) => (status._tag === "Ended" ? inspect(status.exit, { depth: 9 }) : ""))
      const all = [inspect(failure, { depth: 9 }), String(failure), JSON.stringify(failure), ...told].join("\n")
      expect(failure, form).toMatchObject({ _tag: "MirrorError", reason: expect.stringContaining("<redacted>") })
      for (const part of [...Object.values(forms), "S3cret", "w0rd"]) expect(all, form).not.toContain(part)
    }
  })
})

test("a password that the database echoes to the queue of a load is in no span", async () => {
  let isOpen = false
  let echoes = 0
  await hostile(({ type }) => {
    if (!isOpen || type !== "E") return undefined
    echoes++
    return PostgresWire.error("no: secret")
  })
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const taking = WorkQueue.make("demo").pipe(
    Effect.flatMap((queue) => queue.take(() => Effect.void)),
    WorkQueue.provide(WorkQueue.defaultLease),
    Effect.timeout("2 seconds"),
    Effect.exit,
  )
  await Effect.sync(() => (isOpen = true)).pipe(
    Effect.andThen(taking),
    Effect.provide(TransferMirror.layer(wire.address)),
    Effect.withTracer(tracer),
    Effect.runPromise,
  )
  expect(echoes).toBeGreaterThan(0)
  const told = spans.map(({ status }) => (status._tag === "Ended" ? inspect(status.exit, { depth: 9 }) : ""))
  expect(told.some((text) => text.includes("no: <redacted>"))).toBe(true)
  expect(told.join("\n")).not.toContain("secret")
})

test.each(["D", "E", "S"])(
  "a message (%s) of more than 16 MiB is an error of the database, not to be retried",
  async (at) => {
    let asked = 0
    const head = Buffer.from([0x44, 0, 0, 0, 0])
    head.writeInt32BE(16 * 1024 * 1024 + 1, 1)
    await hostile(({ type }) => (type === at && asked++ >= 3 ? head : undefined))
    const failure = await TransferMirror.pipe(
      Effect.flatMap(({ query }) => query("SELECT 1")),
      Effect.provide(TransferMirror.layer(wire.address)),
      Effect.flip,
      Effect.timeout("8 seconds"),
      Effect.runPromise,
    )
    expect(failure).toMatchObject({
      _tag: "MirrorError",
      kind: "rejected",
      reason:
        "PostgreSQL sent a message of 16777217 bytes, and one, such as a row, may have 16 MiB. Ask for fewer columns, or parts of the values with substr",
    })
  },
)

test("what a database says is shown in part, if it is long", async () => {
  await hostile(({ type }) => (type === "p" ? PostgresWire.error(`no ${"x".repeat(1_000_000)}`) : undefined))
  const failure = await open(() => Effect.void, {}).catch((error: unknown) => error)
  expect(failure).toMatchObject({ _tag: "MirrorError" })
  expect(String(failure).length).toBeLessThan(2200)
})

describe("a database that is silent", () => {
  test.each([
    ["once a password was sent", ({ type }) => type === "p"],
    ["from the first statement on", ({ type }) => type !== "p"],
    ["when a user asks", ({ text }) => text === "SELECT 7"],
  ] satisfies ReadonlyArray<[string, (asked: Parameters<PostgresWire.Answer>[0]) => boolean]>)(
    "%s does not delay an interruption",
    async (_, isSilent) => {
      await hostile((asked) => (isSilent(asked) ? Buffer.alloc(0) : undefined))
      const asking = Effect.runFork(
        Effect.flatMap(TransferMirror, ({ query }) => query("SELECT 7")).pipe(
          Effect.provide(TransferMirror.layer(wire.address)),
        ),
      )
      await vi.waitUntil(() => wire.silences > 0, { timeout: 10_000 })
      const started = performance.now()
      await Effect.runPromise(Fiber.interrupt(asking))
      expect(performance.now() - started).toBeLessThan(1500)
      await vi.waitUntil(() => wire.open === 0, { timeout: 1000 })
    },
  )
})
