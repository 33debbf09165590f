import type { SearchRequest } from "@transferkit/domain/SearchRequest"
/** The service of an example: a store in memory, behind a network that takes its time. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferApiError from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as Draw from "@transferkit/in-memory/Draw"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Example from "./Example.ts"

/** A request as it is drawn. Times are in milliseconds since the start of the run. */
export interface Exchange {
  /** Its bounds of creation time, in milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly isFirst: boolean
  readonly sentAt: number
  receivedAt: number | undefined
  rows: number
  isRejected: boolean
  /** What its rows span. */
  span: { readonly from: number; readonly to: number } | undefined
}

export interface Service {
  /** Its operations for one reader, whose requests are kept in `exchanges`. */
  readonly connect: (exchanges: Array<Exchange>, now: () => number) => TransferApi["Service"]
  /** The ids of all its transfers. */
  readonly ids: ReadonlySet<string>
}

/** A service of an example, with transfers of its own: what one reader does to it does not touch another. */
export const make = (example: Example.Example): Service => {
  const order = Example.orderOf(example)
  const store = TransferStore.make({ order })
  const ids = new Set<string>()
  Example.agesOf(example).forEach((age, number) => {
    const id = `tr_${number.toString(36).padStart(4, "0")}`
    Result.getOrThrow(TransferStore.insert(store, wireOf(id, new Date(Example.end - age).toISOString())))
    ids.add(id)
  })
  const displaced = Math.min(Example.displacedOf(example), ids.size)
  if (displaced > 0) TransferStore.displace(store, displaced, example.seed)
  const api = InMemoryTransferApi.make({ store })
  const key = Draw.keyOf(example.seed, 2)
  let requests = 0
  return {
    ids,
    connect: (exchanges, now) => ({
      ...api,
      search: (request) =>
        Effect.gen(function* () {
          const number = requests++
          const exchange: Exchange = {
            ...boundsOf(request, Example.rangeOf(example)),
            isFirst: request.after_cursor === undefined,
            sentAt: now(),
            receivedAt: undefined,
            rows: 0,
            isRejected: false,
            span: undefined,
          }
          exchanges.push(exchange)
          if (example.shape === "late" && example.history === undefined && number % 3 === 2) arrive(store, key, number)
          yield* Effect.sleep(example.latency * (0.6 + 0.8 * Draw.fraction(key, number)))
          const isRejected = !exchange.isFirst && Draw.below(key, 100_000 + number, 100) < example.rejected
          exchange.receivedAt = now()
          exchange.isRejected = isRejected
          if (isRejected) return yield* expired
          const page = yield* api.search(request)
          exchange.rows = page.results.length
          exchange.span = spanOf(page)
          return page
        }),
    }),
  }
}

const expired = new TransferApiError.InvalidRequest({
  status: 400,
  errors: [{ code: "invalid_cursor", message: "The cursor has expired." }],
})

const spanOf = ({ results }: TransferPage): Exchange["span"] => {
  let [from, to] = [Infinity, -Infinity]
  for (const { created_at } of results) {
    const time = Number(created_at.epochNanoseconds / 1_000_000n)
    from = Math.min(from, time)
    to = Math.max(to, time)
  }
  return results.length === 0 ? undefined : { from, to }
}

/** A transfer of the last week appears while others are read. */
const arrive = (store: TransferStore.TransferStore, key: number, number: number): void => {
  const age = 1000 + Math.floor(Draw.fraction(key, 200_000 + number) * 7 * 86_400_000)
  Result.getOrThrow(TransferStore.insert(store, wireOf(`late_${number}`, new Date(Example.end - age).toISOString())))
}

/** The bounds of a request; those of the whole picture where it has none. */
const boundsOf = ({ created_at = [] }: SearchRequest, { from, to }: { readonly from: number; readonly to: number }) => {
  const bound = (operators: ReadonlyArray<string>, otherwise: number): number => {
    const value = created_at.find((each) => operators.includes(each.slice(0, each.indexOf(":"))))
    return value === undefined ? otherwise : Date.parse(value.slice(value.indexOf(":") + 1))
  }
  return { from: Math.max(from, bound(["gt", "gte"], from)), to: Math.min(to, bound(["lt", "lte"], to)) }
}

const wireOf = (id: string, at: string) => ({
  id,
  kind: "cash_in",
  status: "complete",
  created_at: at,
  updated_at: at,
  source_total: { amount: "1.10", currency_code: "fiat/USD" },
  destination_total: { amount: "0.000000000000000001", currency_code: "ethereum/ETH" },
})
