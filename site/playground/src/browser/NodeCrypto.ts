/** The part of `node:crypto` that a fake needs to sign its cursors and to compare secrets: bundled in its place. */
import { sha256 } from "@noble/hashes/sha2.js"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"

/** A digest at once, as Node has it. */
export const hash = (_algorithm: "sha256", data: string | Uint8Array, encoding: "base64url" | "buffer" | "hex") => {
  const digest = sha256(typeof data === "string" ? new TextEncoder().encode(data) : data)
  if (encoding === "buffer") return digest
  return encoding === "hex" ? Hex.encode(digest) : Base64Url.encode(digest)
}

/** Whether two digests are the same. There is nobody in a page from whom the time would give one away. */
export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index])
