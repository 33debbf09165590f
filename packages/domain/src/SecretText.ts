/** Secrets in texts that others wrote: a service or a database may echo what it was sent, in whatever encoding. */
import * as FewNeedles from "./internal/secrets/FewNeedles.ts"
import * as Redaction from "./internal/secrets/Redaction.ts"

/** What takes the place of a secret. */
export const replacement = Redaction.replacement

/**
 * Replaces some secrets in a text, however they are written there: as they are, in JSON, in a URL, in HTML, in
 * hexadecimal, and in Base64 once or twice, also as a part of what was encoded. Each character may be escaped or not, up
 * to four times. Not found are HTML's names of other characters than `&<>"'`, and Base64 that is broken into lines.
 *
 * @example
 * SecretText.redacting(["s3cret"])('{"sent":"a:s3cret"}') // => '{"sent":"a:<redacted>"}'
 * SecretText.redacting(["s3cret"])("Basic YTpzM2NyZXQ=") // => "Basic YTp<redacted>"
 * SecretText.redacting(["k/1"])("?key=k%2f1&limit=3") // => "?key=<redacted>&limit=3"
 * SecretText.redacting(["k/&1"])(String.raw`{"key":"k\/\u00261"}`) // => '{"key":"<redacted>"}'
 */
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  const { add, redact } = Redaction.make(FewNeedles.make())
  add(secrets)
  return redact
}

/** The most characters of a text that `cutting` searches: a text of escapes alone takes a tenth of a second. */
export const mostSearched = 2 ** 20

/**
 * Redacts texts that may be of any length, such as those of errors: one of more than `mostSearched` characters is cut, so
 * that it does not hold up the process.
 *
 * @example
 * const redact = SecretText.cutting(SecretText.redacting(["s3cret"]))
 * redact("key=s3cret") // => "key=<redacted>"
 * redact("\\u0025".repeat(1_000_000)).endsWith("… (cut)") // => true
 */
export const cutting =
  (redact: (text: string) => string): ((text: string) => string) =>
  (text) => {
    if (text.length <= mostSearched) return redact(text)
    const shown = redact(text.slice(0, mostSearched))
    // The start of a secret at the end is not found, and marks before it may move it far to the front.
    const last = shown.lastIndexOf(replacement)
    return `${shown.slice(0, last < 0 ? mostSearched / 2 : last + replacement.length)}… (cut)`
  }
