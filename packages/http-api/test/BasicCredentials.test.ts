import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const credentials = (partner_id: string, secret: string) =>
  BasicCredentials.make({ partner_id, secret_key: Redacted.make(secret) })

// Written by hand; the first two are the examples of RFC 7617.
const headers = [
  ["Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="],
  ["test", "123£", "Basic dGVzdDoxMjPCow=="],
  ["a", "b:c", "Basic YTpiOmM="],
] as const

test.each(headers)("encodes %s and %s as RFC 7617 says, in UTF-8", (id, secret, header) => {
  expect(BasicCredentials.toHeader(Result.getOrThrow(credentials(id, secret)))).toBe(header)
})

test.each(headers)("decodes %s and %s from their header", (id, secret, header) => {
  const { partner_id, secret_key } = Option.getOrThrow(BasicCredentials.fromHeader(header))
  expect([partner_id, Redacted.value(secret_key)]).toEqual([id, secret])
})

test.each([
  ["", "s"],
  ["p", ""],
  ["p:q", "s"],
  ["p\n", "s"],
  ["p", "s\u0000"],
  ["p\ud83d", "s"],
  ["p", "secret\udc00"],
  ["p", "s".repeat(4097)],
  ["p".repeat(4097), "s"],
])("rejects the credentials %j %j, and does not show the secret", (id, secret) => {
  const made = credentials(id, secret)
  expect(Result.isFailure(made)).toBe(true)
  if (Result.isFailure(made) && secret.length > 1) expect(made.failure.message).not.toContain(secret)
})

test.each([null, undefined, 7, ["s"]])("rejects %j for a text, which would be sent as its name", (value) => {
  const made = (partner_id: unknown, secret: unknown) =>
    Reflect.apply(BasicCredentials.make, undefined, [{ partner_id, secret_key: Redacted.make(secret) }])
  expect(made("p", value)).toEqual(
    Result.fail(new BasicCredentials.InvalidCredentials({ field: "secret_key", reason: "is not a text" })),
  )
  expect(made(value, "s")).toEqual(
    Result.fail(new BasicCredentials.InvalidCredentials({ field: "partner_id", reason: "is not a text" })),
  )
})

const base64 = (...bytes: ReadonlyArray<number | string>): string =>
  Buffer.concat(bytes.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))).toString(
    "base64",
  )

test.each([
  ["another scheme", "Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ=="],
  ["no credentials", "Basic "],
  ["a scheme that ends in Basic", "xBasic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="],
  ["something after the credentials", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== x"],
  ["text that is not Base64", "Basic demo:demo-secret"],
  ["Base64 without its padding", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ"],
  ["no colon", `Basic ${base64("demo")}`],
  ["no partner id", `Basic ${base64(":s")}`],
  ["no secret key", `Basic ${base64("p:")}`],
  ["a control character", `Basic ${base64("p:s\n")}`],
  ["a byte that is not UTF-8", `Basic ${base64("p:s", 0xff)}`],
  ["a surrogate in three bytes", `Basic ${base64("p:", 0xed, 0xa0, 0x80)}`],
  ["an overlong colon", `Basic ${base64("p", 0xc0, 0xba, "s")}`],
])("rejects a header with %s, and repairs nothing", (_, header) => {
  expect(BasicCredentials.fromHeader(header)).toEqual(Option.none())
})

test("keeps a byte order mark, because it is part of the text", () => {
  const { partner_id } = Option.getOrThrow(BasicCredentials.fromHeader(`Basic ${base64("\ufeffp:s")}`))
  expect(partner_id).toBe("\ufeffp")
})

test.each(["basic QTpi", "BASIC  QTpi"])(
  "reads %s, whose scheme is in any case and followed by any blanks",
  (header) => {
    expect(Option.map(BasicCredentials.fromHeader(header), ({ partner_id }) => partner_id)).toEqual(Option.some("A"))
  },
)
