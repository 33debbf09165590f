/**
 * The credentials of partner-api.md, section 5: a partner id and a secret key, sent as HTTP Basic in UTF-8.
 */
import * as Data from "effect/Data"
import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** A partner, and the proof that a request comes from it. */
export interface BasicCredentials {
  readonly partner_id: string
  readonly secret_key: Redacted.Redacted
}

/** HTTP Basic cannot carry the partner id or the secret key. `reason` says why, without showing it. */
export class InvalidCredentials extends Data.TaggedError("InvalidCredentials")<{
  readonly field: keyof BasicCredentials
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot use these credentials: the ${this.field.replace("_", " ")} ${this.reason}.`
  }
}

/** RFC 7617 excludes those of ASCII alone. */
const control = /(?![\u0080-\u009f])\p{Cc}/u

/**
 * Credentials that RFC 7617 can carry: neither is empty, has more than 4,096 characters or a control character, or
 * lacks a form in UTF-8, and the partner id has no colon.
 *
 * @example
 * Result.isFailure(BasicCredentials.make({ partner_id: "a:b", secret_key: Redacted.make("s") })) // => true
 */
export const make = (credentials: BasicCredentials): Result.Result<BasicCredentials, InvalidCredentials> => {
  const { partner_id, secret_key } = credentials
  const idFault = faultOf(partner_id) ?? (partner_id.includes(":") ? colon : undefined)
  if (idFault !== undefined) return Result.fail(new InvalidCredentials({ field: "partner_id", reason: idFault }))
  const keyFault = faultOf(Redacted.value(secret_key))
  if (keyFault !== undefined) return Result.fail(new InvalidCredentials({ field: "secret_key", reason: keyFault }))
  return Result.succeed(credentials)
}

const colon = "contains a colon, which ends it in a Basic header"

const faultOf = (text: unknown): string | undefined => {
  // A caller in JavaScript can redact anything, and null would be sent as "null".
  if (typeof text !== "string") return "is not a text"
  if (text === "") return "is empty"
  // The work of hiding a key grows with its length.
  if (text.length > 4096) return "has more than 4096 characters"
  if (control.test(text)) return "contains a control character, such as a line break at its end"
  return text.isWellFormed() ? undefined : "contains a lone surrogate, which UTF-8 cannot encode"
}

/** The value of the Authorization header. It holds the secret: it is for the wire only. */
export const toHeader = (credentials: BasicCredentials): string =>
  `Basic ${Base64.encode(`${credentials.partner_id}:${Redacted.value(credentials.secret_key)}`)}`

// A byte order mark is part of the text, and bytes that are not UTF-8 are no text at all.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * The credentials in the value of an Authorization header; the inverse of {@link toHeader}. `None` for another scheme,
 * and for what {@link make} rejects: nothing is repaired.
 *
 * @example
 * Option.map(BasicCredentials.fromHeader("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ({ partner_id }) => partner_id) // => Option.some("Aladdin")
 * Option.isNone(BasicCredentials.fromHeader("Bearer abc")) // => true
 */
export const fromHeader = (header: string): Option.Option<BasicCredentials> => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined) return Option.none()
  const bytes = Base64.decode(encoded)
  if (Result.isFailure(bytes)) return Option.none()
  let text: string
  try {
    text = utf8.decode(bytes.success)
  } catch {
    return Option.none()
  }
  const colon = text.indexOf(":")
  if (colon === -1) return Option.none()
  const secret_key = Redacted.make(text.slice(colon + 1))
  return Option.getSuccess(make({ partner_id: text.slice(0, colon), secret_key }))
}
