/** The partners that the fake knows, and how a request proves to come from one of them. */
import * as crypto from "node:crypto"
import * as Data from "effect/Data"
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
  const { id, secret } = credentialsIn(authorization) ?? noCredentials
  const partner = partners.get(id)
  const isRight = crypto.timingSafeEqual(digest(secret), partner?.secretDigest ?? nobody)
  return isRight ? partner : undefined
}

/** The partner id of an Authorization header, whatever secret comes with it. */
export const idIn = (authorization: string): string | undefined => credentialsIn(authorization)?.id

const noCredentials = { id: "", secret: "" }

const credentialsIn = (authorization: string): { readonly id: string; readonly secret: string } | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  return colon === -1 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) }
}
