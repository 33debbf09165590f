/** What is impossible about the options of a fake: said at its start, rather than passed over. */
import { sortOrders } from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import type { DurationRange } from "./DurationText.ts"
import type { RateLimit } from "./RateLimit.ts"

/** The options that can be impossible. */
export interface Checked {
  /** Those that are lists. */
  readonly lists: Readonly<Record<string, unknown>>
  readonly transfers: number
  readonly seed: number
  readonly defaultLimit: number
  readonly journalSize: number
  readonly order: string
  readonly displaced: number
  readonly lteToken: string | undefined
  readonly latency: DurationRange | undefined
  readonly rateLimit: RateLimit | undefined
}

/** The first option that is impossible, and what is accepted instead. */
export const problemOf = (options: Checked): string | undefined => {
  const { lists, transfers, seed, defaultLimit, journalSize, order, displaced, lteToken, latency, rateLimit } = options
  const other = Object.keys(lists).find((name) => !Array.isArray(lists[name]))
  // Without what was given instead, in which there may be a secret.
  if (other !== undefined) return `${other} must be a list.`
  if (!isWhole(transfers, 0, 0x1_0000_0000)) {
    return `transfers must be a whole number from 0 to 2^32, not ${transfers}.`
  }
  if (!isWhole(seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
    return `the seed must be a whole number, not ${seed}.`
  }
  if (!isWhole(defaultLimit, 1, 20)) {
    return `the default limit must be a whole number from 1 to 20, not ${defaultLimit}.`
  }
  if (!isWhole(journalSize, 0, 1_000_000)) {
    return `the journal's size must be a whole number from 0 to 1000000, not ${journalSize}.`
  }
  if (!sortOrders.some((known) => known === order)) {
    return `the order must be one of ${sortOrders.join(", ")}, not ${JSON.stringify(order)}.`
  }
  if (!isWhole(displaced, 0, 1_000_000)) {
    return `the number of displaced transfers must be a whole number from 0 to 1000000, not ${displaced}.`
  }
  if (lteToken !== undefined && (!/^[A-Za-z_-]{1,32}$/.test(lteToken) || ["gt", "gte", "lt"].includes(lteToken))) {
    return `the token for "less than or equal" must be a word other than gt, gte and lt, not ${JSON.stringify(lteToken)}.`
  }
  if (latency !== undefined && !isRange(latency)) {
    return "the latency must be a range { from, to } from a duration to one that is not shorter."
  }
  if (rateLimit !== undefined && !(isWhole(rateLimit.requests, 1, 1e9) && rateLimit.perMs > 0)) {
    return "the rate limit must be one request or more in a time that is not nothing."
  }
  return undefined
}

/** What can be impossible about how the fake listens. Times are in milliseconds. */
export interface Listening {
  readonly port: number
  readonly adminToken: string | undefined
  readonly headersTimeout: number
  readonly requestTimeout: number
}

/** The same for how it listens. */
export const problemOfListening = ({
  port,
  adminToken,
  headersTimeout,
  requestTimeout,
}: Listening): string | undefined => {
  if (!isWhole(port, 0, 65_535)) return `the port must be a whole number from 0 to 65535, not ${port}.`
  if (adminToken === "") return "the admin token must not be empty. Leave it away for none."
  if (!(headersTimeout > 0 && headersTimeout <= requestTimeout && requestTimeout < 2 ** 31)) {
    return `the time limits must be more than nothing, that of the head not above that of the request, not ${headersTimeout} and ${requestTimeout} ms.`
  }
  return undefined
}

const isWhole = (value: number, from: number, to: number): boolean =>
  Number.isSafeInteger(value) && value >= from && value <= to

const isRange = ({ from, to }: DurationRange): boolean =>
  Duration.isDuration(from) &&
  Duration.isDuration(to) &&
  Duration.isFinite(to) &&
  Duration.toMillis(from) >= 0 &&
  Duration.isLessThanOrEqualTo(from, to)
