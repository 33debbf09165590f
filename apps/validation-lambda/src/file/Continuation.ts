/**
 * The signature of a continuation. Whoever may invoke the function could count rows as valid that nothing has validated, so
 * it believes only the counts that it returned itself.
 */
import * as crypto from "node:crypto"
import * as Redacted from "effect/Redacted"
import type { FileRequest } from "./FileRequest.ts"

/** HMAC with SHA-256, under the partner's key, of what a continuation says. In hexadecimal. */
export const signature = (
  key: Redacted.Redacted,
  { bucket, key: object, etag, tally: { rows, invalid, violations } }: FileRequest,
): string => {
  const codes = Object.entries(violations).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify(["continuation of a file", bucket, object, etag, rows, invalid, codes])
  return crypto.createHmac("sha256", Redacted.value(key)).update(text).digest("hex")
}

/** Whether a continuation is as it was returned. */
export const isGenuine = (key: Redacted.Redacted, file: FileRequest): boolean => {
  const given = Buffer.from(file.signature ?? "")
  const expected = Buffer.from(signature(key, file))
  return given.length === expected.length && crypto.timingSafeEqual(given, expected)
}
