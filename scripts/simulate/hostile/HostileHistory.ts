/** A small history against a service that is not ours and breaks its contract in one way, drawn from a seed. */
import * as Chance from "../Chance.ts"
import * as Shrink from "../Shrink.ts"

/** How the service breaks its contract, if it does. */
export type Deviation =
  | "none"
  | "ignores the cursor"
  | "repeats a cursor"
  | "loses the cursor"
  | "sends only others"
  | "rejects old cursors"
  | "sends empty pages"
  | "sends rows twice"
  | "sends larger pages"

export interface HostileHistory {
  readonly seed: number
  readonly reader: "scan" | "pages"
  /** Nanoseconds since 1970, in the order of the listing. */
  readonly rows: ReadonlyArray<bigint>
  /** Where what is wanted begins and ends, in turn: sorted nanoseconds. */
  readonly bounds: ReadonlyArray<bigint>
  readonly startsWanted: boolean
  /** The clock of the reader, in milliseconds since 1970. */
  readonly now: number
  readonly limit: number
  readonly concurrency: number
  readonly lteToken: "lte" | undefined
  /** The service keeps fractions, and compares whole seconds. */
  readonly isCoarse: boolean
  /** It takes `lt` as "less than or equal". */
  readonly isInclusive: boolean
  readonly deviation: Deviation
  /** Batches after which each life of the reader ends; the last lives until it is done. */
  readonly lives: ReadonlyArray<number>
}

const second = 1_000_000_000n

/** Eras: before and after 1970, and before and after the first crypto network. */
const starts: readonly [number, ...ReadonlyArray<number>] = [
  Date.UTC(1901, 5, 1),
  Date.UTC(1970, 0, 1),
  Date.UTC(2001, 0, 1),
  Date.UTC(2008, 11, 31),
  Date.UTC(2024, 8, 1),
  Date.UTC(2024, 8, 1),
]

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export const draw = (seed: number): HostileHistory => {
  const chance = Chance.make(seed)
  const pick = <A>(...values: readonly [A, ...ReadonlyArray<A>]): A => Chance.oneOf(chance, values)
  const start = BigInt(Chance.oneOf(chance, starts)) * 1_000_000n
  const span = pick(3n, 8n, 60n, 86_400n, 30n * 86_400n)
  /** On a second, beside one, or anywhere. */
  const instant = (): bigint => {
    const at = start + BigInt(Math.floor(chance() * Number(span))) * second
    return at + pick(0n, 0n, 1n, -1n, BigInt(Math.floor(chance() * 1e9)))
  }
  const count = pick(0, 1, 5, 20, 60, 61, 120)
  const crowd = instant()
  const rows = Array.from({ length: count }, () => (chance() < 0.2 ? crowd : instant()))
  const order = pick("newest", "oldest", "shuffled")
  const listed =
    order === "shuffled" ? rows : rows.sort((a, b) => (order === "newest" ? ascending(b, a) : ascending(a, b)))
  const beside = () => Chance.oneOf(chance, [crowd, ...rows]) + pick(0n, 1n, -1n, second)
  /** One instant or all of a second but its ends, which leave a hole; or anything. */
  const hole = (): ReadonlyArray<bigint> => {
    const at = (instant() / second) * second
    return pick([at, at + 1n], [at + 1n, at + second], [at, at + second - 1n], [beside(), beside()])
  }
  const edges = Array.from({ length: Chance.whole(chance, 0, 4) }, hole).flat()
  const isCurrent = chance() < 0.3
  const newest = rows.reduce((most, at) => (at > most ? at : most), start)
  return {
    seed,
    reader: pick("scan", "scan", "scan", "pages"),
    rows: listed,
    bounds: [...new Set(edges)].sort(ascending),
    startsWanted: chance() < 0.5,
    // Exactly on the second of the newest row, or long after it.
    now: isCurrent ? Number(newest / second) * 1000 : Date.UTC(2025, 0, 1),
    limit: pick(1, 2, 7, 20, 20),
    concurrency: pick(1, 2, 4, 16),
    lteToken: pick(undefined, "lte"),
    isCoarse: chance() < 0.3,
    isInclusive: chance() < 0.3,
    deviation: pick(
      "none",
      "none",
      "none",
      "ignores the cursor",
      "repeats a cursor",
      "loses the cursor",
      "sends only others",
      "rejects old cursors",
      "sends empty pages",
      "sends rows twice",
      "sends larger pages",
    ),
    lives: Array.from({ length: Chance.whole(chance, 0, 3) }, () => Chance.whole(chance, 1, 6)),
  }
}

/** A history in a file: JSON has no numbers that large, so they are texts. */
export interface Written extends Omit<HostileHistory, "rows" | "bounds" | "lteToken"> {
  readonly rows: ReadonlyArray<string>
  readonly bounds: ReadonlyArray<string>
  readonly lteToken?: "lte"
}

export const write = ({ rows, bounds, lteToken, ...history }: HostileHistory): Written => ({
  ...history,
  rows: rows.map(String),
  bounds: bounds.map(String),
  ...(lteToken === undefined ? {} : { lteToken }),
})

export const read = ({ rows, bounds, lteToken, ...history }: Written): HostileHistory => ({
  ...history,
  rows: rows.map(BigInt),
  bounds: bounds.map(BigInt),
  lteToken,
})

/** Smaller histories, the boldest first. */
export const smaller = function* (history: HostileHistory): Generator<HostileHistory> {
  for (const rows of Shrink.shorter(history.rows)) yield { ...history, rows }
  for (const bounds of Shrink.shorter(history.bounds)) yield { ...history, bounds }
  for (const lives of Shrink.shorter(history.lives)) yield { ...history, lives }
  const simplest = {
    deviation: "none",
    isCoarse: false,
    isInclusive: false,
    lteToken: undefined,
    startsWanted: true,
    concurrency: 1,
    limit: 20,
  } as const
  for (const [name, value] of Object.entries(simplest)) yield { ...history, [name]: value }
}
