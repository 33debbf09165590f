/** A rate limit for each partner: a bucket of tokens that fills up steadily. */
import * as Result from "effect/Result"

/**
 * The requests allowed per interval, at once or spread. The interval is in milliseconds.
 *
 * @example
 * await using fake = await startFakeServer({ rateLimit: { requests: 1, perMs: 60_000 } })
 * await fetch(`${fake.url}/v1/capabilities`, { headers })
 * (await fetch(`${fake.url}/v1/capabilities`, { headers })).status // => 429
 */
export interface RateLimit {
  readonly requests: number
  readonly perMs: number
}

/**
 * Reads `50/s`, `600/m`. Fails with a message that names the accepted form.
 *
 * @example
 * RateLimit.parse("600/m") // => Result.succeed({ requests: 600, perMs: 60_000 })
 * Result.isSuccess(RateLimit.parse("600")) // => false
 */
export const parse = (text: string): Result.Result<RateLimit, string> => {
  const match = /^([1-9][0-9]{0,6})\/(s|m|h)$/.exec(text)
  const perMs = { s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] ?? ""]
  return perMs === undefined
    ? Result.fail(`Not a rate: ${JSON.stringify(text.slice(0, 64))}. Write requests and a unit, such as 50/s or 600/m.`)
    : Result.succeed({ requests: Number(match?.[1]), perMs })
}

/**
 * The buckets of all partners. Mutable.
 *
 * @example
 * const buckets = RateLimit.make({ requests: 50, perMs: 1000 })
 * RateLimit.take(buckets, "demo", 0)
 * buckets.tokens.get("demo") // => { left: 49, at: 0 }
 */
export interface Buckets {
  readonly limit: RateLimit
  readonly tokens: Map<string, { left: number; at: number }>
}

/**
 * Full buckets.
 *
 * @example
 * const buckets = RateLimit.make({ requests: 50, perMs: 1000 })
 * RateLimit.take(buckets, "demo", 0) // => Result.succeed(undefined)
 */
export const make = (limit: RateLimit): Buckets => ({ limit, tokens: new Map() })

/**
 * Takes a token, or fails with the seconds to wait for one. `now` is in milliseconds.
 *
 * @example
 * const buckets = RateLimit.make({ requests: 1, perMs: 60_000 })
 * RateLimit.take(buckets, "demo", 0)
 * RateLimit.take(buckets, "demo", 10_000) // => Result.fail(50)
 */
export const take = (self: Buckets, partner: string, now: number): Result.Result<void, number> => {
  const { requests, perMs } = self.limit
  const bucket = self.tokens.get(partner) ?? { left: requests, at: now }
  const left = Math.min(requests, bucket.left + ((now - bucket.at) * requests) / perMs)
  self.tokens.set(partner, { left: left < 1 ? left : left - 1, at: now })
  return left < 1 ? Result.fail(Math.ceil(((1 - left) * perMs) / requests / 1000)) : Result.succeed(undefined)
}
