/** A limit on how often each partner may ask: a bucket of tokens that fills up steadily. */
import * as Result from "effect/Result"

/** So many requests in so many milliseconds, at once or spread. */
export interface RateLimit {
  readonly requests: number
  readonly perMs: number
}

/** Reads `50/s`, `600/m`. Fails with what is accepted. */
export const parse = (text: string): Result.Result<RateLimit, string> => {
  const match = /^([1-9][0-9]{0,6})\/(s|m|h)$/.exec(text)
  const perMs = { s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] ?? ""]
  return perMs === undefined
    ? Result.fail(`Not a rate: ${JSON.stringify(text.slice(0, 64))}. Write requests and a unit, such as 50/s or 600/m.`)
    : Result.succeed({ requests: Number(match?.[1]), perMs })
}

/** The buckets of the partners. Mutable. */
export interface Buckets {
  readonly limit: RateLimit
  readonly tokens: Map<string, { left: number; at: number }>
}

/** Full buckets. */
export const make = (limit: RateLimit): Buckets => ({ limit, tokens: new Map() })

/** Takes a token; without one, the seconds to wait for it. `now` is in milliseconds. */
export const take = (self: Buckets, partner: string, now: number): Result.Result<void, number> => {
  const { requests, perMs } = self.limit
  const bucket = self.tokens.get(partner) ?? { left: requests, at: now }
  const left = Math.min(requests, bucket.left + ((now - bucket.at) * requests) / perMs)
  self.tokens.set(partner, { left: left < 1 ? left : left - 1, at: now })
  return left < 1 ? Result.fail(Math.ceil(((1 - left) * perMs) / requests / 1000)) : Result.succeed(undefined)
}
