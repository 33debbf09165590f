/** Secrets that a search of a text does not see. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as Zlib from "node:zlib"
import { expect, test } from "vitest"
import * as HiddenSecret from "../src/HiddenSecret.ts"

const key = "sk_live+4711/abc"
const isWithin = HiddenSecret.redactor([key]).isWithin
const packed = Zlib.gzipSync(`hello ${key}`)
/** With a name, as the program gzip writes it. */
const named = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
  Buffer.from("a\0"),
  Zlib.deflateRawSync(key),
])

test.each<[string, Buffer | string]>([
  ["gzip", packed],
  ["gzip with a name", named],
  ["gzip that was cut", packed.subarray(0, -9)],
  ["gzip before other bytes", Buffer.concat([packed, Buffer.from("more")])],
  ["gzip of UTF-16", Zlib.gzipSync(Buffer.from(key, "utf16le"))],
  ["Base64 of gzip in lines", packed.toString("base64").replaceAll(/.{20}/g, "$&\n")],
  ["Base64 of other bytes and gzip", Buffer.concat([Buffer.from("ab"), packed]).toString("base64")],
  ["Base64 of Base64 of gzip", Buffer.from(packed.toString("base64")).toString("base64url")],
  ["deflate of Brotli", Zlib.deflateRawSync(Zlib.brotliCompressSync(key))],
  ["gzip as characters, some of them escaped", JSON.stringify({ debug: packed.toString("latin1") })],
  ["gzip 20 times", Array.from({ length: 20 }).reduce<Buffer>((bytes) => Zlib.gzipSync(bytes), packed)],
  ["a bomb", Zlib.gzipSync(Buffer.alloc(200 << 20))],
])("%s is found, or is too much to search", (_, given) => {
  expect(isWithin(Buffer.from(given))).toBe(true)
})

test.each<[string, Buffer | string]>([
  ["other data in gzip", Zlib.gzipSync(Zlib.gzipSync("nothing"))],
  ["a page of addresses", `"0x${"0123456789abcdef".repeat(3)}","x^y","H4sIAAAA"`.repeat(2000)],
  [
    "a page of identifiers in Base64",
    JSON.stringify(Array.from({ length: 2000 }, (_, at) => createHash("sha256").update(`${at}`).digest("base64"))),
  ],
  ["16 MiB of Base64", "A".repeat(16 << 20)],
])("%s is no hit", (_, given) => {
  expect(isWithin(Buffer.from(given))).toBe(false)
})

test.each(["utf16le", "utf16be"])("%s is redacted, whatever its NULs are written as", (order) => {
  const bytes = Buffer.from(key, "utf16le")
  const text = (order === "utf16le" ? bytes : bytes.swap16()).toString("latin1")
  for (const written of [text, JSON.stringify(text), Buffer.from(text).toString("hex"), encodeURIComponent(text)]) {
    expect(
      HiddenSecret.redactor([key])
        .redact(written)
        .replaceAll(/[^a-z<>]/g, ""),
    ).toMatch(/^u?<redacted>u?$/)
  }
})

test("a search takes memory in proportion to its bytes, also if they are escapes", { timeout: 60_000 }, () => {
  const program = `
    import { redactor } from ${JSON.stringify(new URL("../src/HiddenSecret.ts", import.meta.url))}
    if (redactor(["k/&1&k"]).isWithin(Buffer.from("ä\\\\u0041" + "\\\\n".repeat(2e6)))) throw new Error("found")
  `
  const args = ["--max-old-space-size=48", "--input-type=module", "--eval", program]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})
