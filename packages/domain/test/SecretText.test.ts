import { spawnSync } from "node:child_process"
import * as ManySecrets from "@transferkit/domain/ManySecrets"
import * as SecretText from "@transferkit/domain/SecretText"
import { expect, it } from "vitest"

const secrets = [
  "sk/live+a&b<c>'d",
  "k&&//<<++",
  "&#x110000;&#99999999;/k",
  String.raw`k%41&amp;/9\u0041+\/<`,
  "correct horse/battery+staple",
  'quo"te\\',
  "ключ-💶",
  "ключ и 💶/a",
  "s3cret",
  "sk_live_0123456789",
]

const hexOf = (code: number, digits: number) => code.toString(16).padStart(digits, "0")
const units = (secret: string, encode: (code: number) => string) =>
  secret.replace(/[^]/g, (unit) => encode(unit.charCodeAt(0)))
const bytes = (secret: string, encode: (byte: number) => string) => [...Buffer.from(secret)].map(encode).join("")
const json = (secret: string) => JSON.stringify(secret).slice(1, -1)
const go = (secret: string) => json(secret).replace(/[<>&]/g, (unit) => `\\u${hexOf(unit.charCodeAt(0), 4)}`)
const php = (secret: string) =>
  json(secret)
    .replaceAll("/", "\\/")
    .replace(/[^ -~]/g, (unit) => `\\u${hexOf(unit.charCodeAt(0), 4)}`)
const html = (secret: string) =>
  secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;")

/** How services write a text that they echo. */
const escapes: ReadonlyArray<readonly [string, (secret: string) => string]> = [
  ["JSON of PHP", php],
  ["JSON of Go", go],
  [
    "JSON of .NET",
    (secret) =>
      units(json(secret), (code) =>
        /[&<>+'`]/.test(String.fromCharCode(code)) ? `\\u${hexOf(code, 4).toUpperCase()}` : String.fromCharCode(code),
      ),
  ],
  ["JSON with every character escaped", (secret) => units(secret, (code) => `\\u${hexOf(code, 4)}`)],
  [
    "JSON with every character escaped in upper case",
    (secret) => units(secret, (code) => `\\u${hexOf(code, 4).toUpperCase()}`),
  ],
  ["JavaScript", (secret) => units(secret, (code) => (code < 256 ? `\\x${hexOf(code, 2)}` : `\\u${hexOf(code, 4)}`))],
  [
    "octal JavaScript",
    (secret) =>
      units(secret, (code) => (code < 256 ? `\\${code.toString(8).padStart(3, "0")}` : `\\u${hexOf(code, 4)}`)),
  ],
  ["a regular expression", (secret) => secret.replace(/[^\p{L}\p{N} ]/gu, "\\$&")],
  ["a URL with every byte escaped", (secret) => bytes(secret, (byte) => `%${hexOf(byte, 2)}`)],
  [
    "a URL with every byte escaped in upper case",
    (secret) => bytes(secret, (byte) => `%${hexOf(byte, 2).toUpperCase()}`),
  ],
  ["named entities", html],
  ["decimal entities", (secret) => [...secret].map((character) => `&#${character.codePointAt(0)};`).join("")],
  [
    "hexadecimal entities",
    (secret) => [...secret].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(""),
  ],
  [
    "decimal entities with zeros before them",
    (secret) => [...secret].map((character) => `&#${String(character.codePointAt(0)).padStart(12, "0")};`).join(""),
  ],
  [
    "hexadecimal entities without a semicolon",
    (secret) => [...secret].map((character) => `&#X${character.codePointAt(0)?.toString(16)}`).join(""),
  ],
  ["named entities without a semicolon", (secret) => html(secret).replace(/&(amp|lt|gt|quot);/g, "&$1")],
  [
    "JavaScript with braces",
    (secret) => [...secret].map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join(""),
  ],
  ["Base64 in Base64", (secret) => btoa(`Basic ${Buffer.from(`a:${secret}`).toString("base64")}`)],
  ["JSON in JSON", (secret) => json(php(secret))],
  ["HTML in JSON of Go", (secret) => go(html(secret))],
  ["HTML in a URL in JSON of PHP in JSON", (secret) => json(php(encodeURIComponent(html(secret))))],
  ["a URL twice", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ["Base64 in JSON of PHP", (secret) => php(Buffer.from(`a:${secret}`).toString("base64"))],
  ["Base64 in a URL", (secret) => encodeURIComponent(Buffer.from(`a:${secret}`).toString("base64"))],
]

const encodings: ReadonlyArray<readonly [string, (secret: string) => string]> = [
  ["plain", (secret) => secret],
  ["JSON", (secret) => JSON.stringify(secret).slice(1, -1)],
  ["a URL", encodeURIComponent],
  ["a URL in lower case", (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())],
  ["a form", (secret) => new URLSearchParams({ a: secret }).toString().slice(2)],
  ...escapes,
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
    const redacted = SecretText.redacting([secret])(`{"echo": ${encoded} }`)
    expect(redacted).toContain(SecretText.replacement)
    expect(redacted.endsWith(`${SecretText.replacement} }`), redacted).toBe(true)
    expect(redacted).not.toContain(secret)
  }
})

/** Keys as clients write them, and how services read them. */
const escapedKeys: ReadonlyArray<readonly [key: string, read: string]> = [
  ["s%3AJ5kHs9QqZ0.sIgNature", "s:J5kHs9QqZ0.sIgNature"],
  ["s%3aJ5kHs9QqZ0%2FsIgNature", "s:J5kHs9QqZ0/sIgNature"],
  ["12345%7Cabcdef99", "12345|abcdef99"],
  ["correct%20horse+battery", "correct horse battery"],
  ["correct%20horse%2bbattery", "correct horse+battery"],
  ["k%253Ay%257c1", "k:y|1"],
  ["schl%C3%BCssel-%c3%a4", "schlüssel-ä"],
  ["schl%FCssel", "schlüssel"],
  ["%F0%9F%92%B6-key", "💶-key"],
  [String.raw`k\u003a4711`, "k:4711"],
  ["k&#x3a;4711", "k:4711"],
]

it.each(escapedKeys)("finds the key %s that a service has read as %s", (key, read) => {
  const redact = SecretText.redacting([key])
  for (const [name, encode] of encodings) {
    for (const text of [key, read]) {
      const redacted = redact(`{"echo": ${encode(text)} }`)
      expect(redacted.endsWith(`${SecretText.replacement} }`), `${name}: ${redacted}`).toBe(true)
      expect(redacted, name).not.toContain(text)
    }
  }
})

it("does not take a few characters for a key, however a key was escaped", () => {
  const text = '{"a":"b", "c":"//d"}'
  expect(SecretText.redacting(["%22%3A%22", "%2F%2F"])(text)).toBe(text)
})

it("leaves other text as it is", () => {
  const text = '{"id":"tr_1","amount":"10.00","echo":"sk_live_012345678"}'
  expect(SecretText.redacting(secrets)(text)).toBe(text)
})

it("takes out each secret alone, and keeps the escapes around it", () => {
  const redact = SecretText.redacting(["k/&1", "sk_live"])
  const text = String.raw`\u0026\/&lt;k\/\u00261\/k%2F%261,&#115;k_live%20\u{41}&#x110000;&#99999999;100%`
  expect(redact(text)).toBe(String.raw`\u0026\/&lt;<redacted>\/<redacted>,<redacted>%20\u{41}&#x110000;&#99999999;100%`)
})

it("finds an escaped secret after what looks like the start of an escape", () => {
  expect(SecretText.redacting(["ab/cd"])(String.raw`100%ab\/cd`)).toBe("100%<redacted>")
})

it("takes linear time for keys that consist of escapes", () => {
  for (const part of ["%25", "%2525", "&amp;", "\\\\", "%C3%A4"]) {
    const spent = (count: number) => {
      const began = process.cpuUsage()
      ManySecrets.redactor([part.repeat(count)])
      return process.cpuUsage(began).user
    }
    spent(500)
    expect(spent(5000), part).toBeLessThan(100 * spent(500))
  }
})

it("finds secrets that are added one by one as those that are given at once", () => {
  const { add, redact } = ManySecrets.redactor()
  const all = [...secrets, ...escapedKeys.map(([key]) => key)]
  for (const secret of all) add([secret])
  const atOnce = SecretText.redacting(all)
  for (const [name, encode] of encodings) {
    const text = `"${[...all, ...escapedKeys.map(([, read]) => read)].map(encode).join('" "')}"`
    expect(redact(text), name).toBe(atOnce(text))
  }
})

it("finds each of thousands of secrets in one pass", { timeout: 60_000 }, () => {
  const made = Array.from(
    { length: 2000 },
    (_, n) => `eyJhbGciOiJIUzI1NiJ9.${(0x9e3779b97f4a7c15n * BigInt(n + 1)).toString(36)}`,
  )
  const text = `${"a page of transfers ".repeat(2000)} ${made[7]} ${btoa(`u:${made[1999]}`)}`
  const spent = (redact: (text: string) => string) => {
    const began = process.cpuUsage()
    for (let time = 0; time < 20; time++) redact(text)
    return process.cpuUsage(began).user
  }
  const [few, many] = [ManySecrets.redactor(made.slice(0, 20)).redact, ManySecrets.redactor(made).redact]
  expect(many(text).slice(40_000)).toBe(" <redacted> dTp<redacted>")
  spent(few)
  // A hundred times as many took a hundred times as long.
  expect(spent(many)).toBeLessThan(10 * spent(few))
})

it.each(["%25", "\\u005c", "\\", "&#38;#38;", "%2525", "s3cre"])("cuts a text of %s before it takes long", (part) => {
  const redact = SecretText.cutting(SecretText.redacting(["s3cret", "Basic YTpzM2NyZXQ="]))
  const text = part.repeat(16_000_000 / part.length)
  redact(text.slice(0, 100_000))
  const began = process.cpuUsage()
  expect(redact(text).length).toBeLessThan(SecretText.mostSearched)
  // The whole text took two seconds and more.
  expect(process.cpuUsage(began).user).toBeLessThan(400_000)
})

it("shows no part of a secret at the place where a text is cut", () => {
  const secret = "s3cret".repeat(40)
  const long = secret.replaceAll(/./g, (character) => `&#${String(character.charCodeAt(0)).padStart(30, "0")};`)
  const shown = SecretText.cutting(SecretText.redacting([secret]))(long.repeat(200))
  expect(shown.replaceAll(SecretText.replacement, "")).toBe("… (cut)")
})

it.each(['"s3cret-4711"', "%22s3cret-4711%22", "%2522s3cret-4711%2522", String.raw`\"s3cret-4711\"`])(
  "leaves the quotes around what a secret quotes, which belong to the JSON: %s",
  (secret) => {
    for (const redact of [SecretText.redacting([secret]), ManySecrets.redactor([secret]).redact]) {
      expect(redact('{"key":"s3cret-4711"}')).toBe('{"key":"<redacted>"}')
      expect(redact(secret)).toContain(SecretText.replacement)
      expect(redact(secret)).not.toContain("s3cret")
      expect(redact(Buffer.from(`key: ${secret}`).toString("base64"))).toContain(SecretText.replacement)
    }
  },
)

it("takes the quotes of a secret for a part of it if little is between them", () => {
  expect(SecretText.redacting(['"ab"'])('ab "ab"')).toBe("ab <redacted>")
})

it("redacts the rest of a text in which looking takes too long", () => {
  const { redact } = ManySecrets.redactor([`${"a".repeat(4000)}b`])
  const text = `x${"a".repeat(1_000_000)}`
  const began = process.cpuUsage()
  expect(redact(text).length).toBeLessThan(text.length)
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
})

it("takes linear time", () => {
  const redact = SecretText.redacting(["k/&1&k"])
  for (const part of ["%25", "\\", "k/", "k%2F%26", "&amp;", "k%2f%261%26k"]) {
    const began = performance.now()
    redact(part.repeat(30_000))
    expect(performance.now() - began, part).toBeLessThan(2000)
  }
})

it("takes memory in proportion to the text, also if it consists of escapes or of secrets", { timeout: 60_000 }, () => {
  const program = `
    import { redacting } from ${JSON.stringify(new URL("../src/SecretText.ts", import.meta.url))}
    for (const part of ["\\\\", "%25", "&amp", "k/&1&k "]) redacting(["k/&1&k"])(part.repeat(4e6 / part.length))
  `
  // An object for each escape took 30 times the text and more.
  const args = ["--max-old-space-size=64", "--input-type=module", "--eval", program]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})
