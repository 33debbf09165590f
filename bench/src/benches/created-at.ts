import type { Bench, Contestant } from "../Bench.ts"
import * as Fixture from "../Fixture.ts"
import { nanosecondsEach } from "../Microbench.ts"

/** A filter as the parameter has it: one to four values of `created_at`, all of which must hold. */
type Values = ReadonlyArray<string>

interface Filters<F> {
  readonly read: (values: Values) => F
  readonly matches: (filter: F, at: string) => boolean
  /** The values of the request that finds the filter's transfers; `undefined` where no request is needed. */
  readonly request: (filter: F) => Values | undefined
}

const next = Fixture.random(5)
const instant = (): string =>
  new Date(Date.UTC(2024, 0, 1) + Math.floor(next() * 366 * 86_400) * 1000).toISOString().replace(".000", "")
const operators = ["gt", "gte", "lt"] as const
const filters: ReadonlyArray<Values> = Array.from({ length: 1000 }, () =>
  Array.from({ length: 1 + Math.floor(next() * 4) }, () => `${operators[Math.floor(next() * 3)]}:${instant()}`),
)
const instants: ReadonlyArray<string> = Array.from({ length: 100 }, instant)

/** A contestant of this benchmark. */
export const contestant = <F>(
  name: string,
  packages: ReadonlyArray<string>,
  load: () => Promise<Filters<F>>,
  isOurs = false,
): Contestant => ({
  name,
  packages,
  isOurs,
  load: async () => {
    const { read, matches, request } = await load()
    const all = filters.map(read)
    return {
      answer: () =>
        JSON.stringify([all.map(request), all.map((filter) => instants.filter((at) => matches(filter, at)).length)]),
      measure: async () => ({
        read: await nanosecondsEach(filters, read),
        plan: await nanosecondsEach(all, request),
        match:
          (await nanosecondsEach(all, (filter) => instants.filter((at) => matches(filter, at)).length)) /
          instants.length,
      }),
      operations: {
        read: () => filters.map(read),
        plan: () => all.map(request),
        match: () => all.slice(0, 20).map((filter) => instants.filter((at) => matches(filter, at)).length),
      },
    }
  },
})

export const bench: Bench = {
  name: "created-at",
  title: "Filters on created_at",
  work:
    "1,000 random filters of one to four bounds, all of which must hold: read them, plan the request for each, match 100 instants " +
    "against each. The answer is every request and every count of matches.",
  rounds: 5,
  metrics: [
    { key: "plan", title: "Plan a filter's request", unit: "ns" },
    { key: "read", title: "Read and normalise a filter", unit: "ns" },
    { key: "match", title: "Match one instant, read from its text", unit: "ns" },
  ],
  notes: [
    "Where the time goes, by a profile: half of reading a filter and two thirds of a match check the text of an instant and count its nanoseconds; cutting the values apart takes a quarter, merging bounds into a canonical set a tenth. A plan merges and compares sets of whole nanoseconds and prints its bounds without `Date`, whose `toISOString` is what the hand-written code spends its time in. The remaining limit is BigInt: every instant is an allocation. So a plan executes two thirds of the instructions of the hand-written code, and takes as long.",
    "Hand-written min/max code can do only this, the conjunctive case, and to the millisecond. `or`, `not` and `difference`, and instants to the nanosecond, are what the algebra is for; they have no contestant here.",
  ],
  contestants: [
    contestant(
      "TransferKit",
      ["@transferkit/domain"],
      async () => {
        const CreatedAt = await import("@transferkit/domain/CreatedAt")
        const Timestamp = await import("@transferkit/domain/Timestamp")
        const Result = await import("effect/Result")
        return {
          read: (values) => Result.getOrThrow(CreatedAt.fromParams(values)),
          matches: (filter, at) => CreatedAt.matches(filter, Timestamp.parseUnsafe(at)),
          request: (filter) => CreatedAt.plan(filter).requests[0]?.created_at,
        }
      },
      true,
    ),
    contestant("min/max by hand", [], async () => {
      interface Bounds {
        readonly from: number
        readonly fromInclusive: boolean
        readonly to: number
      }
      const text = (at: number): string => new Date(at).toISOString().replace(".000", "")
      return {
        read: (values) => {
          let [from, fromInclusive, to] = [-Infinity, true, Infinity]
          for (const value of values) {
            const colon = value.indexOf(":")
            const [operator, at] = [value.slice(0, colon), Date.parse(value.slice(colon + 1))]
            if (operator === "lt") to = Math.min(to, at)
            else if (at > from) [from, fromInclusive] = [at, operator === "gte"]
            else if (at === from) fromInclusive &&= operator === "gte"
          }
          return { from, fromInclusive, to } satisfies Bounds
        },
        matches: ({ from, fromInclusive, to }: Bounds, at) => {
          const instant = Date.parse(at)
          return instant < to && (fromInclusive ? instant >= from : instant > from)
        },
        // Wide enough for a service that compares whole seconds; what is too much is filtered here.
        request: ({ from, to }: Bounds) =>
          from >= to
            ? undefined
            : [...(from === -Infinity ? [] : [`gte:${text(from)}`]), ...(to === Infinity ? [] : [`lt:${text(to)}`])],
      }
    }),
  ],
}
