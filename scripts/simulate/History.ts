/**
 * A history: all that is to happen in one simulation, as plain data that a seed draws, a file keeps, and
 * {@link file://./Shrink.ts} makes smaller.
 */
import type { Rule } from "../../packages/fake/src/FaultRule.ts"
import type { SortOrder } from "../../packages/in-memory/src/TransferStore.ts"
import * as Chance from "./Chance.ts"
import * as Shrink from "./Shrink.ts"
import type { Death } from "./VirtualTime.ts"

/** A change of the service's transfers before its request number `request`. */
export interface Change {
  readonly request: number
  /** A new transfer, one that vanishes, or time that passes, in which transfers change their status. */
  readonly what: "arrives" | "vanishes" | "hour"
  /** Which one, in [0, 1): its time of creation, or its place among the transfers. */
  readonly which: number
}

/** A life of the reading process. */
export interface Life {
  /** Milliseconds that its clock is ahead of the service's. */
  readonly clockOffset: number
  /** None: it lives until it is done, or fails. */
  readonly death: Death | undefined
}

export interface History {
  /** For all that is drawn while it runs: latencies, jitter and the turns of fibers. */
  readonly seed: number
  readonly reader: "scan" | "pages" | "sync"
  /** When each transfer was created, in milliseconds before the end. Several may share one. */
  readonly ages: ReadonlyArray<number>
  readonly order: SortOrder
  /** Transfers that are listed after all others. */
  readonly displaced: number
  readonly limit: number
  readonly concurrency: number
  readonly windowSize: number
  /** Bounds of the query in milliseconds before the end, if it has any. */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly lteToken: string | undefined
  readonly changes: ReadonlyArray<Change>
  readonly faults: ReadonlyArray<Rule>
  /** Requests a second that the service serves; none if it does not count them. */
  readonly rateLimit: number | undefined
  /** Whether some responses take far longer than others. */
  readonly hasTail: boolean
  /** The last one is followed by lives without a death and without faults. */
  readonly lives: ReadonlyArray<Life>
}

const second = 1000
const day = 86_400 * second

type Draw = () => number

/** Where in the past a transfer is created, 0 for now and 1 for the beginning. */
const shapes: ReadonlyArray<(chance: Chance.Chance) => Draw> = [
  (chance) => chance,
  (chance) => () => chance() ** 4,
  (chance) => () => (Math.floor(chance() * 5) + chance() * 0.001) / 5,
  (chance) => () => (chance() < 0.9 ? 0.3 + chance() * 1e-6 : chance()),
  () => () => 0.5,
]

/** Faults of every kind that a client can survive or must report. None changes what the service says exists. */
const kinds: readonly [Rule["faults"][number], ...ReadonlyArray<Rule["faults"][number]>] = [
  { fault: "status", status: 500 },
  { fault: "status", status: 503, headers: { "retry-after": "2" } },
  { fault: "status", status: 408 },
  { fault: "status", status: 404 },
  { fault: "status", status: 204, body: "" },
  { fault: "status", status: 200, body: "<html>Down for maintenance</html>" },
  { fault: "rate_limited" },
  { fault: "rate_limited", retry_after: "1" },
  { fault: "rate_limited", retry_after: "Sun, 06 Nov 1994 08:49:37 GMT" },
  { fault: "redirect", location: "https://elsewhere.example/v1/transfers/search" },
  { fault: "expired_cursor" },
  { fault: "expired_cursor" },
  { fault: "latency", ms: 45_000 },
  { fault: "latency", ms: 5000 },
  { fault: "reset", at: "before" },
  { fault: "reset", at: "headers" },
  { fault: "reset", at: "body" },
  { fault: "truncate" },
  { fault: "drip", bytes: 64, every_ms: 200 },
  { fault: "clock_skew", seconds: -4000 },
  { fault: "content_type", value: "text/html" },
  { fault: "malformed" },
  { fault: "bom" },
  { fault: "padding", bytes: 5000 },
  { fault: "nesting", depth: 500 },
  { fault: "drift", pointer: "/results/*/kind", value: "gift" },
  { fault: "drift", pointer: "/results/*/source_total/amount", value: 12.5 },
  { fault: "drift", pointer: "/results/0/created_at", value: null },
  { fault: "drift", pointer: "/results/0/id" },
  { fault: "repeated_cursor" },
  { fault: "cursor_cycle" },
  { fault: "missing_cursor" },
  { fault: "empty_page" },
  { fault: "duplicate_rows", count: 2 },
  { fault: "extra_rows", count: 3 },
]

/** The history of a seed. */
export const draw = (seed: number): History => {
  const chance = Chance.make(seed)
  const pick = <A>(...values: readonly [A, ...ReadonlyArray<A>]): A => Chance.oneOf(chance, values)
  const some = <A>(most: number, make: () => A): ReadonlyArray<A> =>
    Array.from({ length: Chance.whole(chance, 0, most) }, make)
  const span = pick(2 * second, day, 30 * day, 365 * day, 365 * day)
  const shape = (shapes[Chance.whole(chance, 0, shapes.length - 1)] ?? (() => chance))(chance)
  const count = pick(0, 1, 19, 20, 21, 60, 61, 100, 200, 300)
  const order = pick<SortOrder>("newest-first", "newest-first", "oldest-first", "by-id", "by-updated", "shuffled")
  const hours = order === "by-updated" ? [] : ["hour" as const]
  return {
    seed,
    reader: pick("scan", "scan", "scan", "scan", "scan", "scan", "pages", "sync"),
    ages: Array.from({ length: count }, () => Math.floor(shape() * span) + second),
    order,
    displaced: pick(0, 0, 1, 1, 3),
    limit: pick(20, 20, 20, 7, 1),
    concurrency: pick(1, 2, 4, 8, 16),
    windowSize: pick(20, 20, 60, 480),
    since: pick(undefined, undefined, Math.floor(chance() * span)),
    until: pick(undefined, undefined, Math.floor(chance() * span)),
    lteToken: pick(undefined, "lte"),
    changes:
      chance() < 0.5
        ? []
        : some(8, () => ({
            request: Chance.whole(chance, 1, 60),
            what: pick("arrives", "vanishes", ...hours),
            which: chance(),
          })),
    faults:
      chance() < 0.5
        ? []
        : some(3, () => ({
            times: Chance.whole(chance, 1, 4),
            when: { request: { every: Chance.whole(chance, 1, 12) } },
            faults: [Chance.oneOf(chance, kinds)],
          })),
    rateLimit: pick(undefined, undefined, undefined, 20, 5),
    hasTail: chance() < 0.5,
    lives: some(5, () => ({
      clockOffset: pick(0, 0, 0, -3600 * second, 3600 * second, 90),
      death: { step: Math.floor(10 ** (chance() * 4.2)), how: pick("kill", "interrupt") },
    })),
  }
}

/** Smaller histories, the boldest first. */
export const smaller = function* (history: History): Generator<History> {
  for (const list of ["faults", "changes", "lives", "ages"] as const) {
    for (const left of Shrink.shorter<unknown>(history[list])) yield { ...history, [list]: left }
  }
  const simplest = {
    rateLimit: undefined,
    hasTail: false,
    since: undefined,
    until: undefined,
    lteToken: undefined,
    concurrency: 1,
    limit: 20,
    windowSize: 480,
    order: "newest-first",
  } as const
  for (const [name, value] of Object.entries(simplest)) yield { ...history, [name]: value }
  if (history.displaced > 1) yield { ...history, displaced: 1 }
  if (history.displaced > 0) yield { ...history, displaced: history.displaced - 1 }
  if (history.lives.some(({ clockOffset }) => clockOffset !== 0)) {
    yield { ...history, lives: history.lives.map((life) => ({ ...life, clockOffset: 0 })) }
  }
}
