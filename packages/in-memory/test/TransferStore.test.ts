import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const text = (json: Uint8Array | undefined) => Buffer.from(json ?? []).toString("utf8")

const row = (id: string, fields: object = {}) => ({
  id,
  kind: "cash_in",
  status: "complete",
  created_at: "2024-09-01T00:00:00Z",
  ...fields,
})

test("keeps an inserted text unchanged", () => {
  const store = TransferStore.make()
  const json =
    '{"id":"a", "kind":"cash_in","status":"complete","created_at":"2024-09-01t00:00:00.10z","n":1.10,"é":"\\u00e9"}'
  Result.getOrThrow(TransferStore.insertJson(store, json))
  expect(text(TransferStore.get(store, "a"))).toBe(json)
})

test("keeps the digits of what a change, or time, leaves alone", () => {
  const store = TransferStore.make()
  const json = `${JSON.stringify(row("a", { status: "executing" })).slice(0, -1)},"n":[9007199254740993,1.10]}`
  Result.getOrThrow(TransferStore.insertJson(store, json))
  Result.getOrThrow(TransferStore.change(store, "a", { note: "x" }))
  TransferStore.advance(store, Duration.hours(1))
  const after = text(TransferStore.get(store, "a"))
  expect(after).toMatch(/"status":"(?:complete|declined)"/)
  expect(after).toContain('"n":[9007199254740993,1.10],"note":"x"')
})

test("keeps the place of a changed transfer, unless its created_at changes", () => {
  const generator = TransferGenerator.make({ count: 50 })
  const store = TransferStore.make({ generator })
  const all = () =>
    TransferStore.search(store, { created_at: {}, limit: 100 }).rows.map((json) => JSON.parse(text(json)))
  const before = all().map(({ id }) => id)
  const [, , third = "", , fifth = ""] = before
  Result.getOrThrow(TransferStore.change(store, third, { status: "odd", external_id: "mine" }))
  Result.getOrThrow(TransferStore.change(store, third, { note: "twice" }))
  expect(all().map(({ id }) => id)).toEqual(before)
  expect(all()[2]).toMatchObject({ id: third, status: "odd", external_id: "mine", note: "twice" })
  Result.getOrThrow(TransferStore.change(store, fifth, { created_at: "2030-01-01T00:00:00Z" }))
  expect(all().map(({ id }) => id)).toEqual([fifth, ...before.filter((id) => id !== fifth)])
  expect(TransferStore.size(store)).toBe(50)
})

test("finds a transfer by its current external_id", () => {
  const store = TransferStore.make({ generator: TransferGenerator.make({ count: 50 }) })
  const find = (external_id: string) =>
    TransferStore.search(store, { external_id, created_at: {}, limit: 9 }).rows.length
  const [first] = TransferStore.search(store, { created_at: {}, limit: 1 }).rows
  const { id, external_id } = JSON.parse(text(first))
  const shared = find(external_id)
  Result.getOrThrow(TransferStore.change(store, id, { external_id: "other" }))
  expect([find(external_id), find("other")]).toEqual([shared - 1, 1])
  Result.getOrThrow(TransferStore.insert(store, row("b", { external_id: "other" })))
  expect(find("other")).toBe(2)
  Result.getOrThrow(TransferStore.remove(store, id))
  Result.getOrThrow(TransferStore.remove(store, "b"))
  expect(find("other")).toBe(0)
})

test("rejects changes of missing transfers, and invalid transfers", () => {
  const store = TransferStore.make({ generator: TransferGenerator.make({ count: 5 }) })
  Result.getOrThrow(TransferStore.insert(store, row("a")))
  expect(Result.isFailure(TransferStore.change(store, "b", {}))).toBe(true)
  expect(Result.isFailure(TransferStore.remove(store, "b"))).toBe(true)
  expect(Result.isFailure(TransferStore.change(store, "a", { created_at: null }))).toBe(true)
  expect(Result.isFailure(TransferStore.change(store, "a", { id: "c" }))).toBe(true)
  expect(JSON.parse(text(TransferStore.get(store, "a")))).toEqual(row("a"))
  TransferStore.clear(store)
  expect(TransferStore.size(store)).toBe(0)
})

test("advances statuses step by step, however far the clock jumps", () => {
  const status = (steps: ReadonlyArray<Duration.Duration>) => {
    const store = TransferStore.make()
    Result.getOrThrow(TransferStore.insert(store, row("a", { status: "executing" })))
    for (const step of steps) TransferStore.advance(store, step)
    return JSON.parse(text(TransferStore.get(store, "a")))
  }
  expect(status([])).toMatchObject({ status: "executing" })
  expect(status([Duration.minutes(1)])).toMatchObject({ status: "approved", updated_at: "2024-09-01T00:01:00Z" })
  const once = status([Duration.days(2)])
  expect(once).toEqual(status([Duration.seconds(61), Duration.minutes(9), Duration.minutes(1), Duration.days(1)]))
  expect(once).toMatchObject({ updated_at: "2024-09-01T00:11:00Z", network_transaction_id: expect.any(String) })
})
