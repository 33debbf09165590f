/**
 * The text of bytes that somebody else wrote. Bytes that are not UTF-8 would become U+FFFD, and two keys that differ in
 * them the same.
 */
import * as Result from "effect/Result"

// Every runtime has it, but ES2024 does not name it.
declare const TextDecoder: new (
  label?: string,
  options?: { readonly fatal: boolean },
) => { readonly decode: (bytes: Uint8Array) => string }

/** Why bytes, or a text that was made of them, are rejected. */
export const lost = "a character was lost; save the file as UTF-8"

/**
 * The text of bytes, without its byte order mark; or the line of the first byte that is not UTF-8, as a clause.
 *
 * @example
 * Utf8.decode(new TextEncoder().encode("Zürich")) // => Result.succeed("Zürich")
 * Utf8.decode(new Uint8Array([0x0a, 0xfc])) // => Result.fail("line 2: a character was lost; save the file as UTF-8")
 */
export const decode = (bytes: Uint8Array): Result.Result<string, string> =>
  Result.mapError(
    Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    () => {
      const [before = ""] = new TextDecoder().decode(bytes).split("\ufffd", 1)
      return `line ${before.split("\n").length}: ${lost}`
    },
  )
