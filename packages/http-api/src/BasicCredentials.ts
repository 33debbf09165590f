/**
 * The credentials of partner-api.md, section 5: a partner id and a secret key, sent as HTTP Basic in UTF-8.
 */
import * as Data from "effect/Data"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** Who calls, and the proof. */
export interface BasicCredentials {
  readonly partner_id: string
  readonly secret_key: Redacted.Redacted
}

/** The partner id or the secret key cannot be sent. `reason` says why, without showing it. */
export class InvalidCredentials extends Data.TaggedError("InvalidCredentials")<{
  readonly field: keyof BasicCredentials
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot use these credentials: the ${this.field.replace("_", " ")} ${this.reason}.`
  }
}

// oxlint-disable-next-line eslint/no-control-regex -- RFC 7617 excludes just these
const control = /[\u0000-\u001f\u007f]/

/**
 * Credentials that RFC 7617 can carry: no colon in the partner id, no control character in either, neither empty.
 *
 * @example
 * Result.isFailure(BasicCredentials.make({ partner_id: "a:b", secret_key: Redacted.make("s") })) // => true
 */
export const make = (credentials: BasicCredentials): Result.Result<BasicCredentials, InvalidCredentials> => {
  const { partner_id, secret_key } = credentials
  const fields = [
    ["partner_id", partner_id],
    ["secret_key", Redacted.value(secret_key)],
  ] as const
  for (const [field, text] of fields) {
    const reason = whyRefused(text)
    if (reason !== undefined) return Result.fail(new InvalidCredentials({ field, reason }))
  }
  return partner_id.includes(":")
    ? Result.fail(
        new InvalidCredentials({ field: "partner_id", reason: "contains a colon, which ends it in a Basic header" }),
      )
    : Result.succeed(credentials)
}

const whyRefused = (text: string): string | undefined => {
  if (text === "") return "is empty"
  return control.test(text) ? "contains a control character, such as a line break at its end" : undefined
}

/** The value of the Authorization header. It holds the secret: it is for the wire only. */
export const toHeader = (credentials: BasicCredentials): string =>
  `Basic ${Base64.encode(`${credentials.partner_id}:${Redacted.value(credentials.secret_key)}`)}`
