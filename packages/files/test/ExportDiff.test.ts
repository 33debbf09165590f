import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as ExportDiff from "../src/exports/ExportDiff.ts"
import { scratchInMemory } from "./partitions/scratchInMemory.ts"

const at = (minute: number, more: object = {}) => ({
  id: `tr_${minute}`,
  kind: "cash_in",
  status: "complete",
  created_at: `2024-09-01T00:${String(minute).padStart(2, "0")}:00Z`,
  ...more,
})

const transfersOf = (wires: ReadonlyArray<object>): ReadonlyArray<Transfer> =>
  Result.getOrThrow(TransferPage.fromJson(JSON.stringify({ results: wires, page_info: { has_next_page: false } })))
    .results

/** A file, and how often it was read. */
const file = (...wires: ReadonlyArray<object>) => {
  const read = { times: 0 }
  const open: ExportDiff.Open = async function* () {
    read.times++
    for (const transfer of transfersOf(wires)) yield [transfer]
  }
  return { open, read }
}

const compareFiles = async (older: ReturnType<typeof file>, newer: ReturnType<typeof file>, limit?: number) => {
  const spread = limit === undefined ? {} : { limit, count: 3 }
  const compared = await ExportDiff.compare(older.open, newer.open, { scratch: scratchInMemory(), ...spread })
  const differences = [...compared.differences]
  expect(compared.different).toBe(differences.length)
  return { same: compared.same, differences }
}

const compare = async (older: ReturnType<typeof file>, newer: ReturnType<typeof file>) => {
  const { same, differences } = await compareFiles(older, newer)
  return { same, differences: differences.map(({ kind, id }) => `${kind} ${id}`) }
}

test("reads files in order once", async () => {
  const older = file(at(1), at(2), at(4), at(5))
  const newer = file(at(1), at(3), at(4, { status: "declined" }), at(5))
  expect(await compare(older, newer)).toEqual({ same: 2, differences: ["removed tr_2", "added tr_3", "changed tr_4"] })
  expect([older.read.times, newer.read.times]).toEqual([1, 1])
})

test("reports a changed creation time as a change, not as removed and added", async () => {
  const older = file(at(1), at(2), at(9))
  const newer = file(at(2), at(5, { id: "tr_1" }), at(9))
  const { same, differences } = await compareFiles(older, newer)
  expect(same).toBe(2)
  expect(differences).toEqual([
    {
      kind: "changed",
      id: "tr_1",
      created_at: "2024-09-01T00:05:00Z",
      changes: [{ field: "created_at", from: "2024-09-01T00:01:00Z", to: "2024-09-01T00:05:00Z" }],
    },
  ])
})

test("compares files in any order", async () => {
  const older = file(at(5), at(1), at(4), at(2))
  const newer = file(at(4, { status: "declined" }), at(2), at(3), at(1))
  expect(await compare(older, newer)).toEqual({
    same: 2,
    differences: ["added tr_3", "changed tr_4", "removed tr_5"],
  })
})

test("sorts differences by instant, to the fraction of a second", async () => {
  const times = ["00:00:01Z", "00:00:01.5Z", "00:00:01.25Z", "00:00:00.9Z"]
  const wires = times.map((time) => at(0, { id: time, created_at: `2024-09-01T${time}` }))
  const { differences } = await compareFiles(file(), file(...wires))
  expect(differences.map(({ id }) => id)).toEqual(["00:00:00.9Z", "00:00:01Z", "00:00:01.25Z", "00:00:01.5Z"])
})

test("compares empty files", async () => {
  expect(await compare(file(), file(at(1)))).toEqual({ same: 0, differences: ["added tr_1"] })
  expect(await compare(file(), file())).toEqual({ same: 0, differences: [] })
})

test.each([0, 1000, 20_000])("compares more than fits in memory, with %i code units of it", async (limit) => {
  const ids = Array.from({ length: 60 }, (_, index) => index % 55)
  const older = file(...ids.map((id) => at(id)))
  const newer = file(
    ...ids
      .toReversed()
      .map((id) => (id % 3 === 0 ? at(id, { status: "declined" }) : at(id % 7 === 0 ? 59 - (id % 4) : id))),
  )
  const expected = await compareFiles(older, newer)
  expect(new Set(expected.differences.map(({ kind }) => kind))).toEqual(new Set(["added", "removed", "changed"]))
  expect(await compareFiles(older, newer, limit)).toEqual(expected)
})

test("takes the same instant and the same amount in another form for no difference", async () => {
  const usd = (amount: string) => ({ source_total: { amount, currency_code: "fiat/USD" } })
  const older = file(at(1, usd("1.10")), at(2, { updated_at: "2024-09-01T00:09:00Z" }), at(3), at(4, usd("1")))
  const newer = file(
    at(1, { ...usd("1.1"), created_at: "2024-09-01T02:01:00+02:00" }),
    at(2, { updated_at: "2024-09-01T00:09:00.000Z" }),
    at(3, usd("1")),
    at(4, { source_total: { amount: "1", currency_code: "fiat/EUR" } }),
  )
  expect(await compare(older, newer)).toEqual({ same: 2, differences: ["changed tr_3", "changed tr_4"] })
})

test("names the fields that changed, as they were and as they are", async () => {
  const usd = (amount: string) => ({ amount, currency_code: "fiat/USD" })
  const older = file(
    at(1, { external_id: "order-1", source_total: usd("1.10"), service_fee: usd("1"), colour: { deep: ["red"] } }),
    at(2, { updated_at: "2024-09-01T00:09:00Z" }),
    at(3),
  )
  const newer = file(
    at(1, { external_id: "order-1", source_total: usd("1.2"), colour: { deep: ["blue"] }, note: "new" }),
    at(2),
    at(3, { updated_at: "2024-09-01T00:09:00Z" }),
  )
  const { differences } = await compareFiles(older, newer)
  expect(differences).toEqual([
    {
      kind: "changed",
      id: "tr_1",
      external_id: "order-1",
      created_at: "2024-09-01T00:01:00Z",
      changes: [
        { field: "source_total", from: "1.10 fiat/USD", to: "1.2 fiat/USD" },
        { field: "service_fee", from: "1 fiat/USD" },
        { field: "colour", from: '{"deep":["red"]}', to: '{"deep":["blue"]}' },
        { field: "note", to: "new" },
      ],
    },
    {
      kind: "changed",
      id: "tr_2",
      created_at: "2024-09-01T00:02:00Z",
      changes: [{ field: "updated_at", from: "2024-09-01T00:09:00Z" }],
    },
    {
      kind: "changed",
      id: "tr_3",
      created_at: "2024-09-01T00:03:00Z",
      changes: [{ field: "updated_at", to: "2024-09-01T00:09:00Z" }],
    },
  ])
})

describe("puts on scratch", () => {
  /** Longer than what waits in memory to be written. */
  const note = "x".repeat(40_000)

  const scratchOf = async (older: ReturnType<typeof file>, newer: ReturnType<typeof file>) => {
    const scratch = scratchInMemory()
    const { differences } = await ExportDiff.compare(older.open, newer.open, { scratch, limit: 0, count: 1 })
    const ids = Buffer.concat(scratch.blocks)
      .toString("latin1")
      .matchAll(/"id":"(\w+)"/g)
    return { ids: [...new Set([...ids].map(([, id]) => id))], differences: [...differences].length }
  }
  const sameInstant = (...ids: ReadonlyArray<string>) => file(...ids.map((id) => at(0, { id, note })))

  test.each([
    [["a", "c", "d", "e"], ["a", "c", "d", "e"], 0],
    [["a", "b", "c", "d", "e"], ["a", "c", "d", "e"], 1],
    [["a", "c", "d", "e"], ["a", "b", "c", "d", "e"], 1],
    [["a", "c", "d", "e"], ["b", "c", "d", "e"], 2],
  ])("no transfers that pair up in step: %j and %j of one instant", async (older, newer, differences) => {
    expect(await scratchOf(sameInstant(...older), sameInstant(...newer))).toEqual({ ids: [], differences })
  })

  test("transfers that do not", async () => {
    const found = await scratchOf(sameInstant("a", "b", "c", "d"), sameInstant("a"))
    expect(found).toEqual({ ids: expect.arrayContaining(["b"]), differences: 3 })
  })

  test("differences of which there are too many", async () => {
    const wires = [1, 2, 3].map((minute) => at(minute, { external_id: note }))
    const declined = wires.map((wire) => ({ ...wire, status: "declined" }))
    const scratch = scratchInMemory()
    await ExportDiff.compare(file(...wires).open, file(...declined).open, { scratch, limit: 100_000 })
    expect(Buffer.concat(scratch.blocks).toString("latin1")).toContain('"to":"declined"')
  })
})

describe("a field that the contract does not name", () => {
  test.each([
    [1, "1"],
    [true, "true"],
    [null, "null"],
    [{ a: 1 }, '{"a":1}'],
    [[1], "[1]"],
  ])("has changed from %j to the text %j, and is shown as JSON", async (value, text) => {
    const field = "colour"
    const { same, differences } = await compareFiles(file(at(1, { [field]: value })), file(at(1, { [field]: text })))
    expect(same).toBe(0)
    expect(differences).toMatchObject([{ changes: [{ field, from: JSON.stringify(value), to: JSON.stringify(text) }] }])
  })

  test.each([1, "1", true, null, { a: 1 }, '{"a":1}', "1.10"])("has not changed if it is %j in both", async (value) => {
    expect(await compare(file(at(1, { colour: value })), file(at(1, { colour: value })))).toEqual({
      same: 1,
      differences: [],
    })
  })
})
