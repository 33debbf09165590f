import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Checkpoint from "../src/Checkpoint.ts"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Origin from "../src/Origin.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { TransferPager } from "../src/TransferPager.ts"
import { inOrder, pager } from "./ScriptedService.ts"

test.each([
  ["http://a", "http://a"],
  ["http://a/", "http://a"],
  ["http://a//", "http://a"],
  ["HTTP://A.Example", "http://a.example"],
  ["https://a:443", "https://a"],
  ["https://a:80", "https://a:80"],
  ["http://a:80/p/", "http://a/p"],
  ["http://a:8080/Partner", "http://a:8080/Partner"],
  ["http://me:secret@a", "http://a"],
  ["http://a/p?x=1#y", "http://a/p"],
  ["http://[::1]:8080/", "http://[::1]:8080"],
  ["sandbox:", "sandbox:"],
])("%s has the form %s", (given, expected) => {
  expect(Origin.baseUrl(given)).toBe(expected)
  expect(Origin.baseUrl(expected)).toBe(expected)
})

test.each(["", "a.example", "ftp://a", "http://", "http:///p", "http://a b", "sandbox:x"])("%j is none", (given) => {
  expect(Origin.baseUrl(given)).toBeUndefined()
  expect(Result.isFailure(Origin.make(given, "demo"))).toBe(true)
})

test("what is no base URL is repeated by 64 characters", () => {
  const made = Result.mapError(Origin.make("x".repeat(3_000_000), "demo"), ({ message }) => message)
  expect(made).toEqual(Result.fail(`"${"x".repeat(64)}…" is not a base URL such as https://api.example.com.`))
})

test("a partner of another service, and another partner of this one, are other origins", () => {
  const one = Result.getOrThrow(Origin.make("http://a/", "demo"))
  expect(Origin.equals(one, Result.getOrThrow(Origin.make("HTTP://A:80", "demo")))).toBe(true)
  expect(Origin.differ(one, { ...one, base_url: "http://b" })).toBe(true)
  expect(Origin.differ(one, { ...one, partner_id: "other" })).toBe(true)
  expect(Origin.differ(one, undefined)).toBe(false)
})

test("a stored origin is in its normal form, and names a partner", () => {
  const decode = S.decodeUnknownResult(Origin.Schema)
  expect(Result.isSuccess(decode({ base_url: "http://a", partner_id: "demo" }))).toBe(true)
  expect(Result.isFailure(decode({ base_url: "http://a/", partner_id: "demo" }))).toBe(true)
  expect(Result.isFailure(decode({ base_url: "bogus", partner_id: "demo" }))).toBe(true)
  expect(Result.isFailure(decode({ base_url: "http://a", partner_id: "" }))).toBe(true)
})

const [here, there] = [
  { base_url: "http://a", partner_id: "demo" },
  { base_url: "http://b", partner_id: "demo" },
]
const query = { created_at: CreatedAt.lt(Timestamp.parseUnsafe("2024-10-01T00:00:00Z")) }
const rest = [{ lt: Timestamp.parseUnsafe("2024-10-01T00:00:00Z") }]
const saved = (origin: Origin.Origin | undefined): Checkpoint.Checkpoint => ({
  version: 2,
  ...(origin && { origin }),
  query: Checkpoint.fingerprint(query),
  transfers: 0,
  remaining: rest,
})
const resume = (origin: Origin.Origin | undefined, checkpoint: Checkpoint.Checkpoint) =>
  Effect.gen(function* () {
    const { scan } = yield* TransferPager
    return yield* Stream.runCollect(scan(query, { resume: checkpoint }))
  }).pipe(Effect.provide(pager(inOrder(["one"]), origin).layer))

it.effect("a checkpoint says whose transfers it counts, and is not resumed elsewhere", () =>
  Effect.gen(function* () {
    const batches = yield* resume(here, saved(here))
    expect(batches.at(-1)?.checkpoint.origin).toEqual(here)
    const text = JSON.stringify(saved(here))
    expect(Result.getOrThrow(Checkpoint.fromJson(text)).origin).toEqual(here)
    expect(yield* Effect.flip(resume(here, saved(there)))).toMatchObject({
      _tag: "CheckpointMismatch",
      message:
        "The checkpoint belongs to demo at http://b, not to demo at http://a. Resume there, or start without it.",
    })
    expect(yield* Effect.flip(resume(here, saved({ ...here, partner_id: "other" })))).toMatchObject({
      _tag: "CheckpointMismatch",
    })
  }),
)

it.effect("a checkpoint of an unknown origin is resumed, and so is one by a service that does not say", () =>
  Effect.gen(function* () {
    expect((yield* resume(undefined, saved(there))).length).toBeGreaterThan(0)
    expect((yield* resume(here, saved(undefined))).length).toBeGreaterThan(0)
  }),
)
