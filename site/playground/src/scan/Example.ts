/** The histories that the tool can show, and how one is read: plain data that an address keeps. */
import * as Draw from "@transferkit/in-memory/Draw"
import type { SortOrder } from "@transferkit/in-memory/TransferStore"
import * as Address from "../Address.ts"

/** How the transfers of a history are spread over the year, and listed. */
export const shapes = ["even", "bursts", "shuffled", "displaced", "late"] as const

export type Shape = (typeof shapes)[number]

/** A shape in words. */
export const words: Readonly<Record<Shape, string>> = {
  even: "Even, listed newest first",
  bursts: "Bursts: most within a few hours",
  shuffled: "Even, listed in a meaningless order",
  displaced: "Even, and 12 rows listed after all others",
  late: "Even, and rows appear while it is read",
}

export interface Example {
  readonly seed: number
  readonly shape: Shape
  readonly transfers: number
  /** Of a response, in milliseconds. */
  readonly latency: number
  /** Windows at once. */
  readonly concurrency: number
  /** How many of a hundred requests with a cursor are rejected. */
  readonly rejected: number
  /** The history of a failed simulation, which takes the place of the shape. */
  readonly history: History | undefined
}

/** What the simulator draws, as far as it can be shown (scripts/simulate/History.ts). */
export interface History {
  readonly ages: ReadonlyArray<number>
  readonly order: SortOrder
  readonly displaced: number
  readonly limit: number
  readonly windowSize: number
}

/** The example of an address. */
export const parse = (settings: ReadonlyMap<string, string>): Example => {
  const history = historyOf(settings.get("history"))
  return {
    seed: Address.whole(settings.get("seed"), { least: 0, most: 999_999_999, otherwise: 1 }),
    shape: Address.oneOf(settings.get("shape"), shapes, "displaced"),
    transfers: Address.whole(settings.get("transfers"), { least: 100, most: 10_000, otherwise: 3000 }),
    latency: Address.whole(settings.get("latency"), { least: 10, most: 1000, otherwise: 120 }),
    concurrency: Address.whole(settings.get("windows"), { least: 1, most: 64, otherwise: 16 }),
    rejected: Address.whole(settings.get("rejected"), { least: 0, most: 20, otherwise: 0 }),
    history,
  }
}

/** The settings that make it again. */
export const print = (example: Example): ReadonlyMap<string, string> =>
  new Map([
    ["seed", String(example.seed)],
    ["shape", example.shape],
    ["transfers", String(example.transfers)],
    ["latency", String(example.latency)],
    ["windows", String(example.concurrency)],
    ["rejected", String(example.rejected)],
    ...(example.history === undefined ? [] : [["history", JSON.stringify(example.history)] as const]),
  ])

const orders: ReadonlyArray<SortOrder> = ["newest-first", "oldest-first", "by-id", "by-updated", "shuffled"]

/** Back to 1970, where times still have a text. */
const isAge = (age: unknown): boolean => typeof age === "number" && Number.isSafeInteger(age) && age >= 0 && age <= end

const historyOf = (text: string | undefined): History | undefined => {
  if (text === undefined) return undefined
  try {
    const { ages, order, displaced, limit, windowSize }: { readonly [field: string]: unknown } = Object(
      JSON.parse(text),
    )
    if (!Array.isArray(ages) || ages.length > 10_000 || !ages.every(isAge)) return undefined
    return {
      ages,
      order: orders.find((each) => each === order) ?? "newest-first",
      displaced: Address.whole(String(displaced), { least: 0, most: ages.length, otherwise: 0 }),
      limit: Address.whole(String(limit), { least: 1, most: 20, otherwise: 20 }),
      windowSize: Address.whole(String(windowSize), { least: 20, most: 10_000, otherwise: 480 }),
    }
  } catch {
    return undefined
  }
}

/** The end of every history, in milliseconds since 1970. */
export const end = Date.UTC(2025, 0, 1)

const year = 366 * 86_400_000

/** When each transfer was created, in milliseconds before the end. */
export const agesOf = ({ seed, shape, transfers, history }: Example): ReadonlyArray<number> => {
  if (history !== undefined) return history.ages
  const key = Draw.keyOf(seed, 0)
  return Array.from({ length: transfers }, (_, index) => {
    const place = Draw.fraction(key, 2 * index)
    if (shape !== "bursts" || place < 0.1) return 1000 + Math.floor(Draw.fraction(key, 2 * index + 1) * (year - 2000))
    // Four bursts of 20 hours.
    const burst = Draw.fraction(Draw.keyOf(seed, 1), Math.floor(place * 4))
    return 1000 + Math.floor((burst * 0.99 + Draw.fraction(key, 2 * index + 1) * 0.0023) * (year - 2000))
  })
}

/** How the service lists them. */
export const orderOf = ({ shape, history }: Example): SortOrder =>
  history?.order ?? (shape === "shuffled" ? "shuffled" : "newest-first")

/** How many rows it lists after all others. */
export const displacedOf = ({ shape, history }: Example): number =>
  history?.displaced ?? (shape === "displaced" ? 12 : 0)

/** The creation times that are shown, in milliseconds since 1970. */
export const rangeOf = (example: Example): { readonly from: number; readonly to: number } => {
  const oldest = example.history === undefined ? year : Math.max(1000, ...example.history.ages)
  return { from: end - oldest, to: end }
}
