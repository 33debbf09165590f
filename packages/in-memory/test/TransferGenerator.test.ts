import * as crypto from "node:crypto"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferModule from "@transferkit/domain/Transfer"
import type { Transfer } from "@transferkit/domain/Transfer"
import { sample } from "@transferkit/in-memory/SampleCapabilities"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Schedule from "../src/internal/generator/Schedule.ts"

const decode = S.decodeUnknownSync(TransferModule.Schema)
const generator = TransferGenerator.make({ count: 3000 })
const indexes = Array.from({ length: generator.count }, (_, index) => index)
const transfers: ReadonlyArray<Transfer> = indexes.map((index) =>
  decode(JSON.parse(TransferGenerator.json(generator, index))),
)

describe("generated transfers", () => {
  test("are the same for the same options, and others for another seed or partner", () => {
    const at7 = (options: Partial<TransferGenerator.Options>) =>
      TransferGenerator.json(TransferGenerator.make({ count: 100, ...options }), 7)
    expect(at7({})).toBe(at7({ seed: 1, partner: "demo" }))
    expect(at7({ seed: 2 })).not.toBe(at7({}))
    expect(at7({ partner: "other" })).not.toBe(at7({}))
  })

  test("are in the order of created_at and id, each id once", () => {
    for (const index of indexes.slice(1)) {
      const [a, b] = [transfers[index - 1], transfers[index]]
      const order = (a?.created_at.epochNanoseconds ?? 0n) - (b?.created_at.epochNanoseconds ?? 0n)
      expect(order <= 0n).toBe(true)
      if (order === 0n) expect(String(a?.id) < String(b?.id)).toBe(true)
    }
    expect(new Set(transfers.map((transfer) => transfer.id)).size).toBe(3000)
  })

  test("include runs of equal timestamps longer than a page", () => {
    let longest = 0
    let run = 0
    for (const index of indexes) {
      const same = transfers[index]?.created_at.text === transfers[index - 1]?.created_at.text
      run = same ? run + 1 : 1
      longest = Math.max(longest, run)
    }
    expect(longest).toBeGreaterThan(20)
  })

  test("have fees that add up exactly within one currency", () => {
    let added = 0
    for (const { source_total, source_subtotal, service_fee, network_fee } of transfers) {
      if (!source_total || !source_subtotal || !service_fee || !network_fee) throw new Error("an amount is missing")
      const parts = [source_subtotal, service_fee, network_fee].filter(
        (part) => part.currency_code === source_total.currency_code,
      )
      const sum = parts.map((part) => part.amount).reduce((a, b) => a.plus(b))
      expect(sum.equals(source_total.amount)).toBe(true)
      expect(Money.isNegative(service_fee) || Money.isNegative(network_fee)).toBe(false)
      if (parts.length === 3) added++
    }
    expect(added).toBeGreaterThan(2000)
  })

  test("stay within the sample capabilities and use nearly all of them", () => {
    const currencies = new Set<string>(sample.supported_currencies.map((currency) => currency.currency_code))
    const methods = new Set(sample.supported_payment_methods.map((method) => method.payment_method_code))
    const seen = new Set<string>()
    for (const { source_total, destination_total, payment_method, source_subtotal } of transfers) {
      for (const money of [source_total, destination_total]) {
        expect(currencies).toContain(money?.currency_code)
        seen.add(String(money?.currency_code))
        if (!money || !CurrencyCode.isFiat(money.currency_code)) continue
        const limit = sample.transfer_limits[money.currency_code]
        expect(money.amount.gte(limit?.min_transfer ?? Infinity)).toBe(true)
        expect(money.amount.lte(limit?.max_transfer ?? 0)).toBe(true)
      }
      expect(methods).toContain(payment_method)
      expect(source_subtotal).toBeDefined()
    }
    expect(seen).toEqual(currencies)
  })

  test("have both kinds, all four known statuses, and all fraction digits of their currency", () => {
    expect(new Set(transfers.map((transfer) => transfer.kind))).toEqual(new Set(["cash_in", "cash_out"]))
    const statuses = new Set(transfers.map((transfer) => transfer.status))
    expect(statuses).toEqual(new Set(["executing", "approved", "complete", "declined"]))
    const ether = transfers.filter((transfer) => transfer.destination_total?.currency_code === "ethereum/ETH")
    expect(ether.length).toBeGreaterThan(50)
    for (const transfer of ether) expect(transfer.destination_total?.text).toMatch(/^\d+\.\d{18}$/)
  })

  test("can be found by id and by external_id, shared ones together", () => {
    let shared = 0
    for (const index of indexes) {
      expect(TransferGenerator.indexOfId(generator, TransferGenerator.id(generator, index))).toBe(index)
      const external_id = TransferGenerator.externalId(generator, index)
      expect(transfers[index]?.external_id).toBe(external_id)
      const all = TransferGenerator.indexesOfExternalId(generator, external_id)
      expect(all).toEqual(indexes.filter((other) => transfers[other]?.external_id === external_id))
      if (all.length > 1) shared++
    }
    expect(shared).toBeGreaterThan(100)
  })

  test("are not found by similar ids", () => {
    expect(
      TransferGenerator.indexOfId(generator, TransferGenerator.id(generator, 1).replace(/.$/, "x")),
    ).toBeUndefined()
    expect(TransferGenerator.indexOfId(generator, "tr_1")).toBeUndefined()
    expect(TransferGenerator.indexesOfExternalId(generator, "order-")).toEqual([])
    const more = TransferGenerator.make({ count: 9000 })
    for (const index of [3100, 5000, 8999]) {
      expect(TransferGenerator.indexOfId(generator, TransferGenerator.id(more, index))).toBeUndefined()
      const external_id = TransferGenerator.externalId(more, index)
      expect(TransferGenerator.indexesOfExternalId(more, external_id)).toContain(index)
      expect(TransferGenerator.indexesOfExternalId(generator, external_id)).toEqual([])
    }
    const others = TransferGenerator.make({ count: 3000, seed: 2 })
    expect(TransferGenerator.indexOfId(generator, TransferGenerator.id(others, 1))).toBeUndefined()
  })

  test("advance with the clock, and settle in the end", () => {
    const rank = (status: string) => ["executing", "approved", "declined", "complete"].indexOf(status)
    const day = 86_400_000_000
    const later = indexes.map((index) =>
      JSON.parse(
        TransferGenerator.json(
          generator,
          index,
          Number(TransferGenerator.defaultTo.epochNanoseconds / 1000n) + 4 * day,
        ),
      ),
    )
    let moved = 0
    for (const index of indexes) {
      const [before, after] = [transfers[index], later[index]]
      if (before === undefined || before.status === after.status) continue
      moved++
      expect(rank(before.status)).toBeLessThan(rank(after.status))
      expect(after.updated_at > String(before.updated_at)).toBe(true)
      expect(after.id).toBe(before.id)
    }
    expect(moved).toBeGreaterThan(50)
    expect(new Set(later.map((transfer) => transfer.status))).toEqual(new Set(["complete", "declined"]))
  })
})

test.each([0, 1, 2, 500, 3000])("of %i transfers, the first at any instant or after it is found", (count) => {
  const { schedule } = TransferGenerator.make({ count })
  const times = Array.from({ length: count }, (_, index) => Schedule.createdAt(schedule, index))
  const edges = [0, schedule.from - 1, schedule.from, schedule.to - 1, schedule.to, schedule.to + 1, 4 * schedule.to]
  let at = 0
  for (const time of [...edges, ...times.flatMap((each) => [each - 1, each, each + 1])].sort((a, b) => a - b)) {
    while (at < count && (times[at] ?? 0) < time) at++
    expect(Schedule.firstAtOrAfter(schedule, time)).toBe(at)
  }
  expect(at).toBe(count)
})

test("rejects impossible counts and ranges", () => {
  expect(() => TransferGenerator.make({ count: -1 })).toThrow(RangeError)
  expect(() => TransferGenerator.make({ count: 1.5 })).toThrow(RangeError)
  const { defaultTo } = TransferGenerator
  expect(() => TransferGenerator.make({ count: 1, from: defaultTo, to: defaultTo })).toThrow(RangeError)
})

test("generates the 366 days before the end", () => {
  const to = Timestamp.parseUnsafe("2026-11-24T00:00:00Z")
  const from = Timestamp.parseUnsafe("2025-11-23T00:00:00Z")
  expect(TransferGenerator.make({ count: 9, to })).toEqual(TransferGenerator.make({ count: 9, from, to }))
})

test("generates only transfers that the schema accepts", () => {
  expect(
    Result.isSuccess(
      S.decodeUnknownResult(S.Array(TransferModule.Wire))(transfers.map((t) => JSON.parse(JSON.stringify(t)))),
    ),
  ).toBe(true)
})

/** SHA-256 of sampled rows, each at three instants: recorded once, valid forever. */
test.each([
  [{ count: 5000 }, "39420ea8b4be9e4742a6637e175d90abe8f1578c7be923a5af8cab0bb2f40cc5"],
  [{ count: 300, seed: 7, partner: "p" }, "9fb28d75ed88cfca3acf2e304b474f59f42b6a613626e0f0c8eef5b3fbfe4c46"],
  [{ count: 2 ** 32, seed: 3 }, "d7a8b5f6f9a49c29f20adba544de49cb5a06855a03f36a175cedf03bda1ce777"],
])("generates the recorded bytes of %j", (options, recorded) => {
  const { count, seed = 1, partner = "demo" }: Partial<TransferGenerator.Options> & { count: number } = options
  const made = TransferGenerator.make({ count, seed, partner })
  const { to } = made.schedule
  const hour = 3_600_000_000
  const digest = crypto.createHash("sha256")
  for (let n = 0; n < 5000; n++) {
    const index = Math.floor(n * (count / 5000))
    for (const now of [to, to + 30 * hour, to - 200 * 24 * hour]) {
      const bytes = TransferGenerator.bytes(made, index, now)
      digest.update(bytes).update("\n")
      if (n % 97 === 0) expect(Buffer.from(bytes).toString("utf8")).toBe(TransferGenerator.json(made, index, now))
    }
  }
  expect(digest.digest("hex")).toBe(recorded)
})

test("does not overwrite rows that it returned", () => {
  const kept = indexes.slice(0, 500).map((index) => TransferGenerator.bytes(generator, index))
  for (const index of indexes) TransferGenerator.id(generator, index)
  for (const index of indexes) TransferGenerator.json(generator, index)
  kept.forEach((bytes, index) =>
    expect(Buffer.from(bytes).toString("utf8")).toBe(TransferGenerator.json(generator, index)),
  )
})
