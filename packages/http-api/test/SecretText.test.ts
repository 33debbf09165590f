import * as SecretText from "@transferkit/http-api/SecretText"
import { expect, it } from "vitest"

const secrets = ["correct horse/battery+staple", 'quo"te\\', "ключ-💶", "s3cret", "sk_live_0123456789"]

const encodings: ReadonlyArray<readonly [string, (secret: string) => string]> = [
  ["plain", (secret) => secret],
  ["JSON", (secret) => JSON.stringify(secret).slice(1, -1)],
  ["a URL", encodeURIComponent],
  ["a URL in lower case", (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())],
  ["a form", (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
  ["hexadecimal", (secret) => Buffer.from(secret).toString("hex")],
  ...["", "u", "us", "use", "user:"].flatMap((before) =>
    (["base64", "base64url"] as const).map(
      (encoding) =>
        [
          `${encoding} after ${JSON.stringify(before)}`,
          (secret: string) => Buffer.from(before + secret).toString(encoding),
        ] as const,
    ),
  ),
]

it.each(encodings)("finds a secret in %s", (_, encode) => {
  for (const secret of secrets) {
    const encoded = encode(secret)
    // The bytes before the secret stay; nothing of the secret does.
    const redacted = SecretText.redacting([secret])(`{"echo":"${encoded}"}`)
    expect(redacted).toContain(SecretText.replacement)
    expect(redacted.endsWith(`${SecretText.replacement}"}`), redacted).toBe(true)
    expect(redacted).not.toContain(secret)
  }
})

it("leaves other text as it is", () => {
  const text = '{"id":"tr_1","amount":"10.00","echo":"sk_live_012345678"}'
  expect(SecretText.redacting(secrets)(text)).toBe(text)
})
