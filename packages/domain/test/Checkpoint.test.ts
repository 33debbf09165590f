import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { expect, test } from "vitest"
import * as Checkpoint from "../src/Checkpoint.ts"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { alterations } from "./fixtures/alterations.ts"
import { law } from "./fixtures/law.ts"

const may = "2024-05-01T00:00:00Z"
const june = "2024-06-01T00:00:00Z"
const remaining = [{ lt: may }, { gte: may, lt: june }, { gte: june }]
const strays = [{ id: "tr_1", created_at: may }]
const given_up = [
  { id: "tr_2", created_at: may },
  { id: "tr_3", created_at: may, external_id: "order-3" },
]
const started = { version: 2, query: "CreatedAt(everything)", until: june, transfers: 3, remaining, strays, given_up }
const decode = S.decodeUnknownResult(Checkpoint.Schema)

const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`

test.each([
  ["a text that is not JSON", "{", "it is not JSON: "],
  ["another format", '{"version":1}', "it has format 1, and this version reads format 2"],
  ["a deep value", `{"version":${nested}}`, `the value at /version${"/0".repeat(32)} is more than 32 levels deep`],
  [
    "a deep unknown field",
    `{"version":2,"x":${nested}}`,
    `the value at /x${"/0".repeat(32)} is more than 32 levels deep`,
  ],
])("rejects %s, with a reason", (_, text, reason) => {
  expect(Checkpoint.fromJson(text)).toMatchObject({
    failure: { _tag: "InvalidCheckpoint", reason: expect.stringContaining(reason) },
  })
})

test("reads what JSON.stringify wrote", () => {
  const checkpoint = { version: 2, query: "CreatedAt(everything)", transfers: 3, remaining: [] } as const
  expect(Checkpoint.fromJson(JSON.stringify(checkpoint))).toEqual(Result.succeed(checkpoint))
})

test.each<[string, object, string]>([
  ["no query", { query: undefined }, "the value at /query should be present, but is missing"],
  [
    "half a transfer",
    { transfers: 0.5 },
    "the value at /transfers should be a whole number from 0, but is the number 0.5",
  ],
  [
    "no instant",
    { remaining: [{ gte: "soon" }] },
    '/remaining/0/gte should be an RFC 3339 timestamp, but is the string "soon"',
  ],
  ["a reversed interval", { remaining: [{}, { gte: may, lt: may }] }, "/remaining/1 should have its gte before its lt"],
])("rejects %s, with a reason", (_, change, reason) => {
  const text = JSON.stringify({ ...started, ...change })
  expect(Checkpoint.fromJson(text)).toMatchObject({ failure: { reason: expect.stringContaining(reason) } })
  expect(Result.isFailure(decode(JSON.parse(text)))).toBe(true)
})

law("reads what the schema reads", { altered: alterations(JSON.stringify(started)) }, ({ altered }) => {
  const read = Checkpoint.fromJson(JSON.stringify(altered))
  const decoded = decode(altered)
  if (Result.isFailure(read)) return void expect(Result.isFailure(decoded)).toBe(true)
  expect(Result.getOrThrow(decoded)).toEqual(read.success)
})

test("divides what remains into parts that cover it, each time once, and leaves what has no bound whole", () => {
  const intervals = Result.getOrThrow(Checkpoint.fromJson(JSON.stringify(started))).remaining
  const of = (parts: Checkpoint.Checkpoint["remaining"]) =>
    Checkpoint.remaining({ version: 2, query: "", transfers: 0, remaining: parts })
  for (const count of [1, 2, 7, 31]) {
    const parts = Checkpoint.divide(intervals, count)
    expect(parts.slice(0, 2)).toEqual([[intervals[0]], [intervals[2]]])
    expect(parts).toHaveLength(2 + count)
    expect(Equal.equals(of(parts.flat()), of(intervals))).toBe(true)
    for (const [index, part] of parts.entries()) {
      for (const other of parts.slice(index + 1))
        expect(CreatedAt.isEmpty(CreatedAt.and(of(part), of(other)))).toBe(true)
    }
  }
  expect(Checkpoint.divide([], 4)).toEqual([])
})

test("splits what came and is to be found, each into the part that finds it, or into the first", () => {
  const from = Timestamp.parseUnsafe(may)
  const at = (second: number) => Timestamp.plus(from, second * 1000)
  const of = (...seconds: ReadonlyArray<number>) =>
    seconds.map((second) => ({ id: `${second}`, created_at: at(second) }))
  const self: Checkpoint.Checkpoint = {
    version: 2,
    origin: { base_url: "https://service.example", partner_id: "demo" },
    query: "CreatedAt(everything)",
    until: at(99),
    transfers: 7,
    remaining: [{ gte: at(0), lt: at(10) }],
    strays: of(9, 0, 50),
    given_up: of(4, 5),
  }
  const { strays: _, given_up: __, ...rest } = { ...self, transfers: 0 }
  const [first, second] = [
    { gte: at(0), lt: at(6) },
    { gte: at(6), lt: at(10) },
  ]
  expect(Checkpoint.split(self, 2)).toEqual([
    { ...rest, remaining: [first], strays: of(0, 50), given_up: of(4, 5) },
    { ...rest, remaining: [second], strays: of(9) },
  ])
  expect(Checkpoint.split({ ...self, remaining: [] }, 2)).toEqual([{ ...self, transfers: 0, remaining: [] }])
})

test("the seconds of strays are few spans, however many they are, and each is in one", () => {
  const of = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, created_at: Timestamp.fromEpochSeconds(2 * index) }))
  expect(CreatedAt.intervals(Checkpoint.due({ strays: of(1000) }))).toHaveLength(1000)
  const strays = of(20_000)
  const due = Checkpoint.due({ strays })
  expect(CreatedAt.intervals(due)).toHaveLength(1000)
  expect(strays.every(({ created_at }) => CreatedAt.matches(due, created_at))).toBe(true)
  expect(String(Checkpoint.due({ given_up: strays.slice(0, 1) }))).toBe(
    String(Checkpoint.due({ strays: strays.slice(0, 1) })),
  )
  expect(CreatedAt.isEmpty(Checkpoint.due({}))).toBe(true)
})
