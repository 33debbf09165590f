/** Made-up transfers of a partner and the order in which a service lists them: all of it drawn from a seed. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as S from "effect/Schema"

/** Numbers in [0, 1) that are the same for the same seed. */
export const random = (seed: number) => {
  let state = seed >>> 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 20; i++) next()
  return next
}

export type Chance = ReturnType<typeof random>

export const oneOf = <A>(chance: Chance, values: ReadonlyArray<A>): A => {
  const value = values[Math.floor(chance() * values.length)]
  if (value === undefined) throw new Error("nothing to choose from")
  return value
}

export const second = 1000
export const day = 86_400 * second
export const year = 366 * day

/** When the newest transfer of a history is created, in milliseconds since 1970. */
export const now = Date.UTC(2025, 0, 1)

/** Where in its span a transfer is created, 0 to 1. */
export const shapes = {
  even: (chance) => chance(),
  growing: (chance) => Math.sqrt(Math.sqrt(chance())),
  "days and nights": (chance) => (Math.floor(chance() * 366) + (chance() + chance() + chance()) / 3) / 366,
  bursts: (chance) => (Math.floor(chance() * 12) + 0.5) / 12 + chance() * 0.001,
  "steep bursts": (chance) => (Math.floor(chance() * 12) + chance() ** 8) / 12,
  spike: (chance) => (chance() < 0.95 ? 0.7 + chance() * 1e-6 : chance()),
  "a full second": (chance) => (chance() < 0.125 ? 0.5 + chance() * 1e-9 : chance()),
} satisfies Record<string, (chance: Chance) => number>

export type Shape = keyof typeof shapes

export const orders = ["newest first", "oldest first", "by id", "by last update", "shuffled"] as const

export type Order = (typeof orders)[number]

export interface Row {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Where it stands in the listing; ties go by id. */
  readonly key: number
}

export interface HistoryOptions {
  readonly count: number
  readonly shape: Shape
  readonly order: Order
  readonly seed: number
  /** Milliseconds from the oldest to the newest. */
  readonly span?: number
  /** Milliseconds from the newest to now. */
  readonly age?: number
  /** Transfers that are listed anywhere but in their place. */
  readonly displaced?: number
}

export const byKey = (a: Row, b: Row): number => a.key - b.key || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Rows in the order of the listing, and how to make more of them. */
export const make = ({ count, shape, order, seed, span = year, age = 0, displaced = 0 }: HistoryOptions) => {
  const chance = random(seed)
  const newest = now - age - second
  const keyOf = (at: number): number => {
    switch (order) {
      case "newest first":
        return -at
      case "oldest first":
        return at
      case "by id":
        return 0
      case "by last update":
        // Most change within minutes, a few at any time since.
        return chance() < 0.03 ? -at - chance() * (newest - at) : -at + 600_000 * Math.log(1 - chance())
      case "shuffled":
        return chance()
    }
  }
  const row = (at: number, id = `${Math.floor(chance() * 2 ** 48).toString(36)}-${at.toString(36)}`): Row => ({
    id,
    at,
    key: keyOf(at),
  })
  const draw = () => Math.floor(newest - span + shapes[shape](chance) * span)
  const rows = Array.from({ length: count }, () => row(draw()))
  for (let i = 0; i < Math.min(displaced, count); i++) {
    const index = Math.floor(chance() * count)
    const moved = rows[index]
    if (moved !== undefined) rows[index] = { ...moved, key: oneOf(chance, rows).key + (chance() - 0.5) }
  }
  return { rows: rows.sort(byKey), another: () => row(draw()) }
}

const decode = S.decodeUnknownSync(Transfer.Schema)

export const toTransfer = ({ id, at }: Row): Transfer.Transfer => {
  const created_at = Timestamp.fromEpochNanoseconds(BigInt(at) * 1_000_000n).text
  return decode({ id, kind: "cash_in", status: "complete", created_at })
}
