/** The server over a source that is none of ours: what the package needs is a service, and nothing of a mirror. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { memory, SourceFailed, TransferSource } from "@transferkit/domain/TransferSource"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import type * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Handlers from "../src/internal/Handlers.ts"
import * as Mask from "../src/Mask.ts"
import * as TransferMcp from "../src/TransferMcp.ts"

const transfer = Result.getOrThrow(
  Transfer.fromJson(
    '{"id":"tr_1","external_id":"order-1","kind":"cash_in","status":"executing","created_at":"2024-09-01T00:00:00Z","ledger":{"id":9007199254740993,"rate":1.10}}',
  ),
)

const day = (text: string) => Timestamp.parseUnsafe(`${text}T00:00:00Z`)
const until = day("2024-09-02")

/** What was created on the first day of September is known, and the day before was not read yet. When a transfer was looked for, a pass has read all. */
const source = Layer.effect(
  TransferSource,
  Effect.map(
    memory({
      transfers: [transfer],
      coverage: {
        extent: { created_at: CreatedAt.between(day("2024-08-31"), until), only: {} },
        unread: CreatedAt.between(day("2024-08-31"), day("2024-09-01")),
        as_of: until,
      },
    }),
    (held): TransferSource["Service"] => {
      let isWhole = false
      return {
        ...held,
        coverage: Effect.suspend(() => (isWhole ? Effect.succeed(Coverage.upTo(Timestamp.latest)) : held.coverage)),
        find: (values) => {
          const change = { event: "created", seen_at: "2024-09-01T00:00:02Z", changed: {} }
          const found = { transfer, first_seen_at: "2024-09-01T00:00:01Z", changes: [change] }
          if (values.includes("order-1") || values.includes("tr_1")) return Stream.succeed(found)
          if (values.includes("many")) return Stream.forever(Stream.succeed(found))
          const cause = { _tag: "LedgerClosed", message: "The ledger is closed.\u001b[2J" }
          if (values.includes("other")) return Stream.fail(new SourceFailed({ cause }))
          return Stream.suspend(() => {
            isWhole = true
            return Stream.empty
          })
        },
      }
    },
  ),
)

const messages = [
  {
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    id: 1,
  },
  { method: "notifications/initialized" },
  { method: "tools/call", params: { name: "lookup_transfer", arguments: { id: "order-1" } }, id: 2 },
  { method: "tools/call", params: { name: "lookup_transfer", arguments: { id: "other" } }, id: 3 },
  {
    method: "tools/call",
    params: { name: "summarise", arguments: { since: "2024-09-01", until: "2024-09-01" } },
    id: 4,
  },
  { method: "tools/call", params: { name: "summarise", arguments: { since: "2024-08", until: "2024-09-01" } }, id: 5 },
  { method: "tools/call", params: { name: "lookup_transfer", arguments: { id: "tr_1" } }, id: 7 },
  { method: "tools/call", params: { name: "lookup_transfer", arguments: { id: "none" } }, id: 6 },
  { method: "tools/call", params: { name: "lookup_transfer", arguments: { id: "many" } }, id: 8 },
]

/** Sends messages one after another, each when the one before has its response, and returns what was said. */
const converse = (mask: string | undefined, options: Partial<TransferMcp.ServerOptions> = {}) =>
  Effect.gen(function* () {
    const [said, logged]: [Array<string>, Array<string>] = [[], []]
    const input = yield* Queue.unbounded<Uint8Array, Cause.Done>()
    const waiting = [...messages]
    const next = Effect.suspend(() => {
      const message = waiting.shift()
      if (message === undefined) return Effect.asVoid(Queue.end(input))
      const line = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
      return Effect.andThen(Queue.offer(input, line), "id" in message ? Effect.void : nextLater)
    })
    const nextLater: Effect.Effect<void> = Effect.suspend(() => next)
    yield* next
    const stdio = Stdio.make({
      args: Effect.succeed([]),
      stdin: Stream.fromQueue(input),
      stdout: () =>
        Sink.forEach((text: string | Uint8Array) =>
          Effect.suspend(() => {
            said.push(...Buffer.from(text).toString().trim().split("\n"))
            return next
          }),
        ),
      stderr: () => Sink.drain,
    })
    const quiet: Console.Console = Object.assign(Object.create(globalThis.console), {
      error: (line: string) => logged.push(line),
    })
    yield* TransferMcp.stdio({ ...options, version: "1.0.0", mask: yield* Effect.fromResult(Mask.parse(mask)) }).pipe(
      Effect.provide(source),
      Effect.provide(TransferPager.layer.pipe(Layer.provideMerge(InMemoryTransferApi.layer({ transfers: 1 })))),
      Effect.provideService(Stdio.Stdio, stdio),
      Effect.provideService(Console.Console, quiet),
    )
    return { lines: said, said: said.map((line) => JSON.parse(line)), logged: logged.map((line) => JSON.parse(line)) }
  })

test("says what a source says of its failure, escaped, if no field is masked", async () => {
  const { said } = await Effect.runPromise(converse(undefined))
  const { content } = said.find(({ id }) => id === 3).result
  expect(JSON.parse(content[0].text)).toEqual({ code: "LedgerClosed", message: "The ledger is closed.\\x1b[2J" })
})

test("keeps the digits of numbers that the contract does not name", async () => {
  const { lines, said } = await Effect.runPromise(converse(undefined))
  const { content } = said.find(({ id }) => id === 2).result
  const ledger = '"ledger":{"id":9007199254740993,"rate":1.10}'
  expect(content[0].text).toContain(ledger)
  expect(lines.find((line) => line.includes('"structuredContent"'))).toContain(ledger)
})

test("answers from the source that it is given, and logs each call with its outcome", async () => {
  const { said, logged } = await Effect.runPromise(converse("external_id"))
  expect(said.find(({ id }) => id === 2).result.structuredContent).toMatchObject({
    source: "memory",
    as_of: "2024-09-02T00:00:00Z",
    data: { transfers: [{ transfer: { id: "tr_1", external_id: expect.stringMatching(/^masked-/) } }] },
  })
  const { isError, content } = said.find(({ id }) => id === 3).result
  expect(isError).toBe(true)
  expect(JSON.parse(content[0].text)).toEqual({
    code: "LedgerClosed",
    message: expect.stringMatching(/^What is wrong is not shown/),
  })
  expect(logged.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["lookup_transfer", "done"],
    ["lookup_transfer", "failed"],
    ["summarise", "done"],
    ["summarise", "failed"],
    ["lookup_transfer", "done"],
    ["lookup_transfer", "failed"],
    ["lookup_transfer", "truncated"],
  ])
})

test("says where others with an external_id may be that the source lacks, and of an id, which is unique, nothing", async () => {
  const { said } = await Effect.runPromise(converse(undefined))
  const answerOf = (sent: number) => said.find(({ id }) => id === sent).result.structuredContent
  expect(answerOf(2)).toMatchObject({
    missing: [["lt:2024-09-01T00:00:00Z"], ["gte:2024-09-02T00:00:00Z", "lte:2024-09-02T00:00:00Z"]],
    data: { transfers: [{ transfer: { id: "tr_1" } }] },
  })
  expect(answerOf(7)).toMatchObject({ data: { transfers: [{ transfer: { id: "tr_1" } }] } })
  expect(answerOf(7)).not.toHaveProperty("missing")
})

test("a key that a source of some days does not have is an error, and not a zero: it may be that of another day", async () => {
  const september = {
    extent: { created_at: CreatedAt.between(day("2024-09-01"), until), only: {} },
    unread: CreatedAt.none,
    as_of: day("2024-12-01"),
  }
  const { lookup_transfer } = await Effect.runPromise(
    Handlers.make({ mask: (value) => value, allowIncomplete: false, runQuery: undefined }).pipe(
      Effect.provide([
        Layer.effect(TransferSource, memory({ transfers: [transfer], coverage: september })),
        Layer.provide(TransferPager.layer, InMemoryTransferApi.layer({ transfers: 0 })),
      ]),
    ),
  )
  const missing = [["lt:2024-09-01T00:00:00Z"], ["gte:2024-09-02T00:00:00Z", "lte:2024-12-01T00:00:00Z"]]
  expect(await Effect.runPromise(Effect.flip(lookup_transfer({ id: "none" })))).toMatchObject({
    code: "NotCovered",
    missing,
  })
  expect(await Effect.runPromise(lookup_transfer({ id: "order-1" }))).toMatchObject({ missing })
  expect(await Effect.runPromise(lookup_transfer({ id: "tr_1" }))).not.toHaveProperty("missing")
})

test("says of a key that very many transfers have that the answer is truncated, and reads no more than it can show", async () => {
  const { said } = await Effect.runPromise(converse(undefined))
  expect(said.find(({ id }) => id === 8).result.structuredContent).toMatchObject({
    truncated: true,
    hint: expect.stringMatching(/^More than 1000 transfers have this id or external_id/),
  })
})

test("what the source lacks is an error that says what is missing, and not a zero; or a marked answer", async () => {
  const { said } = await Effect.runPromise(converse(undefined))
  expect(said.find(({ id }) => id === 4).result.structuredContent.data.transfers).toBe(1)
  const { isError, content } = said.find(({ id }) => id === 5).result
  expect(isError).toBe(true)
  const missing = [["gte:2024-08-01T00:00:00Z", "lt:2024-09-01T00:00:00Z"]]
  expect(JSON.parse(content[0].text)).toMatchObject({ code: "NotCovered", missing })
  const absent = said.find(({ id }) => id === 6).result
  expect(JSON.parse(absent.content[0].text), "asked of what was read by then").toMatchObject({ code: "NotCovered" })
  const marked = await Effect.runPromise(converse(undefined, { allowIncomplete: true }))
  expect(marked.said.find(({ id }) => id === 5).result.structuredContent).toMatchObject({
    missing,
    data: { transfers: 1 },
  })
})

test.each([
  ["created_at", true],
  ["updated_at", true],
  ["external_id", false],
])("with a mask for %s, when a mirror has seen a transfer and its changes is masked: %s", async (mask, isMasked) => {
  const { said } = await Effect.runPromise(converse(mask))
  const [found] = said.find(({ id }) => id === 2).result.structuredContent.data.transfers
  const seen = isMasked ? expect.stringMatching(/^masked-/) : expect.stringMatching(/^2024-09-01T00:00:0\dZ$/)
  expect(found).toMatchObject({ first_seen_at: seen, changes: [{ event: "created", seen_at: seen }] })
})
