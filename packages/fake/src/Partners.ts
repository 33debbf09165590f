/** The partners that the fake knows, and how a request proves to come from one of them. */
import * as crypto from "node:crypto"
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** One partner. The secret is kept as its digest only, so that it can't show up anywhere. */
export interface Partner {
  readonly id: string
  readonly secretDigest: Buffer
}

/** A partner is not written `<id>:<secret>`. */
export class InvalidPartner extends Data.TaggedError("InvalidPartner")<{ readonly reason: string }> {
  override get message(): string {
    return `Not a partner: ${this.reason}. Write <id>:<secret>, such as demo:demo-secret.`
  }
}

/** The partner there is unless others are named. */
export const defaultPartner = "demo:demo-secret"

/** Reads `<id>:<secret>`. The secret may hold colons. */
export const parse = (text: string): Result.Result<Partner, InvalidPartner> => {
  const colon = text.indexOf(":")
  if (colon === -1) return Result.fail(new InvalidPartner({ reason: "there is no colon" }))
  if (colon === 0) return Result.fail(new InvalidPartner({ reason: "the id is empty" }))
  if (colon === text.length - 1) return Result.fail(new InvalidPartner({ reason: "the secret is empty" }))
  return Result.succeed({ id: text.slice(0, colon), secretDigest: digest(text.slice(colon + 1)) })
}

const digest = (secret: string): Buffer => crypto.hash("sha256", secret, "buffer")

/** Compared with where the partner is unknown, so that it takes as long as where the secret is wrong. */
const nobody = digest("")

/** The partner whose credentials an Authorization header holds. Takes the same time whatever part of them is wrong. */
export const authenticate = (partners: ReadonlyMap<string, Partner>, authorization: string): Partner | undefined => {
  const credentials = Option.getOrUndefined(BasicCredentials.fromHeader(authorization))
  const partner = credentials && partners.get(credentials.partner_id)
  const secret = credentials === undefined ? "" : Redacted.value(credentials.secret_key)
  const isRight = crypto.timingSafeEqual(digest(secret), partner?.secretDigest ?? nobody)
  return isRight ? partner : undefined
}

/** The partner id of an Authorization header, whatever secret comes with it. */
export const idIn = (authorization: string): string | undefined =>
  Option.getOrUndefined(BasicCredentials.fromHeader(authorization))?.partner_id
