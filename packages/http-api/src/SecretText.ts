/** Secrets in texts that others wrote: a service may echo what it was sent, in whatever encoding. */
import * as Base64 from "effect/encoding/Base64"

/** What takes the place of a secret. */
export const replacement = "<redacted>"

/**
 * Replaces some secrets in a text, however they are written there: as they are, in JSON, in a URL, in hexadecimal, and in
 * Base64, also as a part of what was encoded.
 *
 * @example
 * SecretText.redacting(["s3cret"])('{"sent":"a:s3cret"}') // => '{"sent":"a:<redacted>"}'
 * SecretText.redacting(["s3cret"])("Basic YTpzM2NyZXQ=") // => "Basic YTp<redacted>"
 * SecretText.redacting(["k/1"])("?key=k%2f1&limit=3") // => "?key=<redacted>&limit=3"
 */
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  // The longest first: a shorter one may be a part of it.
  const longestFirst = (a: string, b: string): number => b.length - a.length
  const texts = [...new Set(secrets.flatMap(textsOf))].sort(longestFirst)
  const encoded = [...new Set(secrets.flatMap(base64Of))].sort(longestFirst)
  return (text) =>
    encoded.reduce(
      withoutEncoded,
      texts.reduce((redacted, each) => redacted.replaceAll(each, replacement), text),
    )
}

/** The last bytes of a secret share characters with what follows, so these go, too. */
const withoutEncoded = (text: string, encoded: string): string =>
  text
    .split(encoded)
    .map((part, index) => (index === 0 ? part : part.replace(/^[\w+/-]{0,4}={0,2}/, "")))
    .join(replacement)

const textsOf = (secret: string): ReadonlyArray<string> => {
  const escaped = encodeURIComponent(secret)
  const hex = Array.from(new TextEncoder().encode(secret), (byte) => byte.toString(16).padStart(2, "0")).join("")
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    escaped,
    escaped.replace(/%../g, (byte) => byte.toLowerCase()),
    escaped.replaceAll("%20", "+"),
    hex,
    hex.toUpperCase(),
  ]
}

const base64Of = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2]
    .map((before) => withinBase64(secret, before))
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")])
    .filter((text) => text.length > 3)

/** The characters of Base64 that depend on the secret alone if so many bytes stand before it. */
const withinBase64 = (secret: string, before: number): string => {
  const bytes = new TextEncoder().encode("\0".repeat(before) + secret)
  return Base64.encode(bytes.subarray(0, bytes.length - (bytes.length % 3))).slice(Math.ceil((before * 8) / 6))
}
