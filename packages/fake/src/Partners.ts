/** The partners of the fake, and the authentication of their requests. */
import * as crypto from "node:crypto"
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/**
 * One partner. Only digests of the secret are kept, so the secret cannot leak.
 *
 * @example
 * const partner = Result.getOrThrow(Partners.parse("demo:demo-secret"))
 * [partner.id, JSON.stringify(partner).includes("demo-secret")] // => ["demo", false]
 */
export interface Partner {
  readonly id: string
  readonly secretDigest: Buffer
  /** Of the Authorization header as clients write it; `undefined` if none can carry the credentials. */
  readonly headerDigest: string | undefined
}

/**
 * A partner is not written `<id>:<secret>`.
 *
 * @example
 * Result.merge(Partners.parse("demo")).reason // => "there is no colon"
 */
export class InvalidPartner extends Data.TaggedError("InvalidPartner")<{ readonly reason: string }> {
  override get message(): string {
    return `Not a partner: ${this.reason}. Write <id>:<secret>, such as demo:demo-secret.`
  }
}

/**
 * The partner unless others are given.
 *
 * @example
 * Partners.defaultPartner // => "demo:demo-secret"
 */
export const defaultPartner = "demo:demo-secret"

/**
 * Reads `<id>:<secret>`. The secret may contain colons. Fails with {@link InvalidPartner}.
 *
 * @example
 * Result.map(Partners.parse("demo:a:b"), ({ id }) => id) // => Result.succeed("demo")
 * Result.isSuccess(Partners.parse("demo:")) // => false
 */
export const parse = (text: string): Result.Result<Partner, InvalidPartner> => {
  const colon = text.indexOf(":")
  if (colon === -1) return Result.fail(new InvalidPartner({ reason: "there is no colon" }))
  if (colon === 0) return Result.fail(new InvalidPartner({ reason: "the id is empty" }))
  if (colon === text.length - 1) return Result.fail(new InvalidPartner({ reason: "the secret is empty" }))
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)]
  const credentials = BasicCredentials.make({ partner_id: id, secret_key: Redacted.make(secret) })
  const headerDigest = Result.isFailure(credentials)
    ? undefined
    : digestText(BasicCredentials.toHeader(credentials.success))
  return Result.succeed({ id, secretDigest: digest(secret), headerDigest })
}

const digestText = (header: string): string => crypto.hash("sha256", header, "base64url")

const digest = (secret: string): Buffer => crypto.hash("sha256", secret, "buffer")

/** Compared with for an unknown partner, so that it takes as long as a wrong secret. */
const noSecret = digest("")

/**
 * The partner of the credentials in an Authorization header. Takes the same time whichever part is wrong.
 *
 * @example
 * const partners = new Map([["demo", Result.getOrThrow(Partners.parse("demo:demo-secret"))]])
 * Partners.authenticate(partners, `Basic ${btoa("demo:demo-secret")}`)?.id // => "demo"
 * Partners.authenticate(partners, `Basic ${btoa("demo:wrong")}`) // => undefined
 */
export const authenticate = (partners: ReadonlyMap<string, Partner>, authorization: string): Partner | undefined => {
  // To take the usual header apart costs three times as much.
  const header = digestText(authorization)
  for (const partner of partners.values()) if (partner.headerDigest === header) return partner
  const credentials = Option.getOrUndefined(BasicCredentials.fromHeader(authorization))
  const partner = credentials && partners.get(credentials.partner_id)
  const secret = credentials === undefined ? "" : Redacted.value(credentials.secret_key)
  const isRight = crypto.timingSafeEqual(digest(secret), partner?.secretDigest ?? noSecret)
  return isRight ? partner : undefined
}

/**
 * The partner id of an Authorization header, whatever its secret; `undefined` if the header has none.
 *
 * @example
 * Partners.idIn(`Basic ${btoa("demo:wrong")}`) // => "demo"
 */
export const idIn = (authorization: string): string | undefined =>
  Option.getOrUndefined(BasicCredentials.fromHeader(authorization))?.partner_id
