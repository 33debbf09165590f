/** A service in memory with a listing of any order, latency in virtual time, and rows that arrive while it is read. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { InvalidRequest, UnexpectedStatus } from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

const decode = S.decodeUnknownSync(Transfer.Schema)

/** Numbers in [0, 1) that are the same for the same seed. */
export const random = (seed: number) => {
  let state = seed >>> 0 || 1
  return (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

export type Order = "newest-first" | "oldest-first" | "shuffled" | "nearly-newest-first" | "late-disorder"

export const orders: ReadonlyArray<Order> = [
  "newest-first",
  "oldest-first",
  "shuffled",
  "nearly-newest-first",
  "late-disorder",
]

export interface Row {
  readonly id: string
  /** Nanoseconds. */
  readonly at: bigint
  /** Where it stands in the listing. */
  readonly key: number
  readonly transfer: Transfer.Transfer
}

export interface Options {
  /** Creation times in milliseconds since 1970. */
  readonly times: ReadonlyArray<number>
  readonly order: Order
  readonly seed?: number
  /** Milliseconds. */
  readonly latency?: number
  /** Adds a row with the creation time of every so manieth request, and one that is newest. */
  readonly insertEvery?: number
  /** Cursors are refused after so many requests. */
  readonly cursorLife?: number
  /** Gives the first transfer of every page once more, at its end. */
  readonly isRepeating?: boolean
}

/** The pager over such a service. `ids` are the rows it starts with. */
export const simulate = (options: Options) => {
  const { times, order, latency = 0, insertEvery, cursorLife = Infinity } = options
  const chance = random(options.seed ?? 1)
  const newest = times.reduce((a, b) => Math.max(a, b), 0)
  const keyOf = (time: number): number => {
    switch (order) {
      case "newest-first":
        return -time
      case "oldest-first":
        return time
      case "shuffled":
        return chance()
      case "nearly-newest-first":
        // Such as one by the time of the last change: most changed when they were created.
        return chance() < 0.05 ? -time - chance() * 1e10 : -time
      case "late-disorder":
        return time < newest - 1e9 && chance() < 0.5 ? -newest + chance() * 1e10 + 2e9 : -time
    }
  }
  const rowOf = (time: number, id: string): Row => {
    const at = BigInt(time) * 1_000_000n
    const created_at = Timestamp.fromEpochNanoseconds(at).text
    const transfer = decode({ id, kind: "cash_in", status: "complete", created_at })
    return { id, at, key: keyOf(time), transfer }
  }
  const byKey = (a: Row, b: Row) => a.key - b.key || (a.id < b.id ? -1 : 1)
  const rows = times.map((time, index) => rowOf(time, `t${index}`)).sort(byKey)
  const ids = rows.map(({ id }) => id)
  const requests: Array<SearchRequest> = []

  const insert = (number: number) => {
    const time = times[Math.floor(chance() * times.length)] ?? newest
    for (const row of [rowOf(time, `late${number}`), rowOf(newest + number, `new${number}`)]) {
      const at = rows.findIndex((other) => byKey(row, other) < 0)
      rows.splice(at === -1 ? rows.length : at, 0, row)
    }
  }

  const answer = (request: SearchRequest): Result.Result<TransferPage, InvalidRequest> => {
    const number = requests.push(request)
    if (insertEvery !== undefined && number % insertEvery === 0) insert(number)
    const filter = Result.getOrThrow(CreatedAt.fromParams(request.created_at ?? []))
    const [issued, key, id] = request.after_cursor?.split(" ") ?? ["", "-Infinity", ""]
    if (number - Number(issued || number) > cursorLife) {
      return Result.fail(new InvalidRequest({ status: 400, errors: [{ code: "cursor", message: "expired" }] }))
    }
    const limit = request.limit ?? 20
    const results: Array<Row> = []
    const [least, most] = keysOf(order, filter)
    for (const row of from(rows, Math.max(Number(key), least), Number(key) >= least ? (id ?? "") : "")) {
      if (row.key > most) break
      if (!CreatedAt.matches(filter, row.transfer.created_at)) continue
      results.push(row)
      if (results.length > limit) break
    }
    const page = results.slice(0, limit)
    const last = page.at(-1)
    const [first] = page
    if (options.isRepeating === true && first !== undefined) page.push(first)
    const has_next_page = results.length > limit
    return Result.succeed({
      results: page.map(({ transfer }) => transfer),
      page_info: { has_next_page, ...(last === undefined ? {} : { end_cursor: `${number} ${last.key} ${last.id}` }) },
    })
  }

  const api = Layer.succeed(TransferApi, {
    capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
    search: (request) =>
      Effect.andThen(
        Effect.sleep(latency),
        Effect.suspend(() => Effect.fromResult(answer(request))),
      ),
  })
  return { ids, requests, layer: TransferPager.TransferPager.layer.pipe(Layer.provide(api)) }
}

/** Where in the listing the transfers of a filter can be. */
const keysOf = (order: Order, filter: CreatedAt.CreatedAt): readonly [least: number, most: number] => {
  const [range] = CreatedAt.ranges(filter)
  const millis = (bound: CreatedAt.Bound | undefined, otherwise: number) =>
    bound === undefined ? otherwise : Number(bound.at.epochNanoseconds / 1_000_000n)
  const first = millis(range?.lower, -Infinity) - 1
  const last = millis(range?.upper, Infinity) + 1
  if (order === "newest-first") return [-last, -first]
  return order === "oldest-first" ? [first, last] : [-Infinity, Infinity]
}

function* from(rows: ReadonlyArray<Row>, key: number, id: string): Generator<Row> {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && (row.key < key || (row.key === key && row.id <= id))) low = middle + 1
    else high = middle
  }
  for (let i = low; i < rows.length; i++) {
    const row = rows[i]
    if (row !== undefined) yield row
  }
}

const start = Date.UTC(2022, 0, 1)

/** Creation times in milliseconds, of `count` transfers over `span` milliseconds. */
export const shapes: Record<string, (count: number, chance: () => number, span: number) => ReadonlyArray<number>> = {
  uniform: (count, chance, span) => Array.from({ length: count }, () => Math.floor(start + chance() * span)),
  growing: (count, chance, span) => Array.from({ length: count }, () => Math.floor(start + Math.sqrt(chance()) * span)),
  bursty: (count, chance, span) => {
    const bursts = Array.from({ length: Math.ceil(count / 200) }, chance)
    return Array.from({ length: count }, () => {
      const burst = bursts[Math.floor(chance() * bursts.length)] ?? 0
      return Math.floor(start + (burst + chance() * 1e-3) * span)
    })
  },
  spiked: (count, chance, span) =>
    Array.from({ length: count }, () =>
      Math.floor(start + (chance() < 0.95 ? 0.618 + chance() * 1e-6 : chance()) * span),
    ),
  "at one instant": (count) => Array.from({ length: count }, () => start),
  "in one second": (count, chance) => Array.from({ length: count }, () => Math.floor(start + chance() * 1000)),
}
