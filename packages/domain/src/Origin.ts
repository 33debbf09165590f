/**
 * Whose transfers they are: those of a partner of a service. It travels with every set of transfers that is stored, so
 * that those of another partner or service are never added to them. Base URLs are brought to one form here, and
 * compared nowhere else.
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { excerpt } from "./internal/Excerpt.ts"
import { normalized } from "./internal/wire/BaseUrl.ts"
import type { Schema } from "./internal/wire/OriginSchema.ts"

export { Schema } from "./internal/wire/OriginSchema.ts"

/** A base URL in its normal form, and a partner of it. */
export type Origin = typeof Schema.Type

/** What is not an origin. */
export class InvalidOrigin extends Data.TaggedError("InvalidOrigin")<{
  readonly given: string
  readonly expected: string
}> {
  override get message(): string {
    return `${JSON.stringify(this.given)} is not ${this.expected}.`
  }
}

/** The origin of generated transfers, which no service has. */
export const sandbox: Origin = { base_url: "sandbox:", partner_id: "sandbox" }

/**
 * The origin of a partner's transfers. The base URL may be in any spelling: upper case, with the usual port, with a
 * slash at its end. Credentials, a query and a fragment are not part of it.
 *
 * @example
 * Result.map(Origin.make("HTTPS://API.example.com:443/", "demo"), Origin.print) // => Result.succeed("demo at https://api.example.com")
 * Result.mapError(Origin.make("example.com", "demo"), ({ message }) => message) // => Result.fail('"example.com" is not a base URL such as https://api.example.com.')
 */
export const make = (base_url: string, partner_id: string): Result.Result<Origin, InvalidOrigin> => {
  const normal = normalized(base_url)
  if (normal === undefined) {
    const expected = "a base URL such as https://api.example.com"
    return Result.fail(new InvalidOrigin({ given: excerpt(base_url), expected }))
  }
  if (partner_id === "") return Result.fail(new InvalidOrigin({ given: partner_id, expected: "a partner id" }))
  return Result.succeed({ base_url: normal, partner_id })
}

/**
 * The base URL of a service in its normal form; none if the text is not one.
 *
 * @example
 * Origin.baseUrl("http://LOCALHOST:8080//") // => "http://localhost:8080"
 */
export const baseUrl = (text: string): string | undefined => normalized(text)

/**
 * Whether two origins are the same partner of the same service.
 *
 * @example
 * Origin.equals({ base_url: "http://a", partner_id: "demo" }, { base_url: "http://b", partner_id: "demo" }) // => false
 */
export const equals = (self: Origin, that: Origin): boolean =>
  self.base_url === that.base_url && self.partner_id === that.partner_id

/**
 * Whether two sets of transfers are known to be of different origins. Of an unknown origin nothing is known.
 *
 * @example
 * Origin.differ(Origin.sandbox, undefined) // => false
 */
export const differ = (self: Origin | undefined, that: Origin | undefined): boolean =>
  self !== undefined && that !== undefined && !equals(self, that)

/**
 * An origin in words.
 *
 * @example
 * Origin.print({ base_url: "https://api.example.com", partner_id: "demo" }) // => "demo at https://api.example.com"
 */
export const print = ({ base_url, partner_id }: Origin): string =>
  base_url === sandbox.base_url ? "the sandbox" : `${partner_id} at ${base_url}`
