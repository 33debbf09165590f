/**
 * The signature of what the function returned, to be given back later. Whoever may invoke the function could count as
 * valid, or as audited, what nothing has read: so it believes only what it returned itself.
 */
import * as crypto from "node:crypto"
import * as CanonicalJson from "@transferkit/domain/CanonicalJson"
import * as Redacted from "effect/Redacted"

/** What is signed: of which kind it is, and all that it says. */
export interface Statement {
  readonly kind: "continuation of a file" | "continuation of an audit" | "result of an audit"
  readonly [field: string]: unknown
}

/** HMAC with SHA-256, under the partner's key. In hexadecimal. */
export const of = (key: Redacted.Redacted, statement: Statement): string =>
  crypto.createHmac("sha256", Redacted.value(key)).update(CanonicalJson.stringify(statement)).digest("hex")

/** Whether a signature is that of a statement. */
export const isOf = (key: Redacted.Redacted, statement: Statement, signature = ""): boolean => {
  const given = Buffer.from(signature)
  const expected = Buffer.from(of(key, statement))
  return given.length === expected.length && crypto.timingSafeEqual(given, expected)
}
