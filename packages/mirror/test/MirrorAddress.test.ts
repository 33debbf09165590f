/** How the address of a database decides about encryption: like a URL, it is safe unless it says otherwise. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { isAddress, parse, shown } from "../src/MirrorAddress.ts"

const encryptionOf = (address: string) => {
  const parsed = Result.getOrThrow(parse(address))
  return parsed._tag === "Postgres" ? parsed.encryption : undefined
}
const reasonOf = (address: string) => Result.getOrThrow(Result.flip(parse(address))).message

describe("a database", () => {
  test.each([
    ["postgres://me@db.example/transfers", "verified"],
    ["postgres://me@db.example/transfers?sslmode=require", "verified"],
    ["postgres://me@db.example/transfers?sslmode=verify-ca", "verified"],
    ["postgres://me@db.example/transfers?sslmode=disable", "none"],
    ["postgres://me@10.0.0.5/transfers", "verified"],
    ["postgres://me@127.0.0.1.example.com/transfers", "verified"],
    ["postgres://me@127.example/transfers", "verified"],
    ["postgres://me@127.0.0.1/transfers", "none"],
    ["postgres://me@localhost:5433/transfers", "none"],
    ["postgres://me@[::1]/transfers", "none"],
    ["postgres://me@localhost/transfers?sslmode=prefer", "ifOffered"],
    ["postgres://me@localhost/transfers?sslmode=verify-full", "verified"],
    ["postgres:///transfers?host=/var/run/postgresql", "none"],
    // The parameter wins over the name before it.
    ["postgres://me@localhost/transfers?host=db.example", "verified"],
  ])("at %s is spoken to with encryption %s", (address, encryption) => {
    expect(encryptionOf(address)).toBe(encryption)
  })

  test.each([
    ["postgres://me:secret@db.example/t?ssl=true", "it has the parameter ssl, and only these have an effect: sslmode"],
    ["postgres://me:secret@db.example/t?sslmode=prefer", "sslmode=prefer lets whoever answers for db.example choose"],
    ["postgres://me:secret@db.example/t?sslmode=allow", "use verify-full, or disable if the network is trusted"],
    ["postgres://me:secret@db.example/t?sslmode=on", "sslmode is one of disable, allow, prefer, require"],
    ["postgres://me:secret@db.example/t?sslmode=constructor", "sslmode is one of disable, allow, prefer, require"],
    ["postgres://me:secret@db.example/t?sslmode=disable&sslmode=require", "the parameter sslmode twice"],
    ["postgres://me:secret@db.example/t?sslmode=disable&sslrootcert=a.pem", "sslrootcert has no effect"],
    ["postgres://me:secret@db.example/t?prepare=no", "prepare is true or false"],
  ])("at %s is rejected: %s", (address, reason) => {
    expect(reasonOf(address)).toContain(reason)
    expect(reasonOf(address)).not.toContain("secret")
  })

  test.each([
    ["postgres://alice:S3cret:PW@db.example/t", "postgres://alice@db.example/t"],
    ["postgresql://alice:S3@cret:PW@db.example/t", "postgresql://alice@db.example/t"],
    ["postgres://alice@db.example/t?password=S3cret", "postgres://alice@db.example/t"],
    ["postgres://alice@db.example/t?password=S3cret&user=bob#PW", "postgres://alice@db.example/t"],
    ["postgres://alice@db.example/t?password=S3cret&foo=1", "postgres://…"],
    ["postgres://alice@db.example/t?password=S3cret&PW", "postgres://…"],
    ["postgres://alice@db.example/t?password=S3cret&sslmode=bogus", "postgres://…"],
    ["postgres://alice:S3cret@db.example:PW/t", "postgres://…"],
    // What precedes the slash and the question mark reads as the port.
    ["postgres://alice:12/S3cret@db.example/t", "postgres://…"],
    ["postgres://alice:12?S3cret@db.example/t", "postgres://…"],
    ["postgres://alice:12#S3cret@db.example/t", "postgres://…"],
    ["POSTGRES://db.example/t?password=S3cret", "postgres://…"],
    [" postgres://alice:S3cret@db.example/t", "postgres://…"],
    ["postgres:db.example/t?password=S3cret", "postgres://…"],
    ["postgres:alice:PW://db.example", "postgres://…"],
    ["mysql://alice:S3cret@db.example/t", "mysql://…"],
    ["postgres://alice%3AS3cret@db.example/t", "postgres://…"],
    ["postgres://alice%253aS3cret@db.example/t", "postgres://…"],
    ["postgres://alice@db.example/t%3Fpassword=S3cret", "postgres://…"],
    ["postgres://alice@db.example/t;password%3DS3cret", "postgres://…"],
    ["postgres://alice@db.example/t?PASSWORD=S3cret", "postgres://…"],
    ["postgres://alice@db.example/t?sslpassword=S3cret", "postgres://…"],
  ])("at %s is shown as %s, and no error has its password", (address, text) => {
    expect(shown(address)).toBe(text)
    const parsed = parse(address)
    expect(Result.isFailure(parsed) ? parsed.failure.message : parsed.success.text).not.toMatch(/S3|cret|PW/)
  })

  test("gets only the parameters that the driver knows", () => {
    const parsed = Result.getOrThrow(parse("postgres://me@db.example/t?sslrootcert=ca.pem&prepare=false&user=other"))
    if (parsed._tag !== "Postgres") throw new Error("a file")
    expect(parsed).toMatchObject({ sslrootcert: "ca.pem", prepare: false, encryption: "verified" })
    expect(Redacted.value(parsed.url)).toBe("postgres://me@db.example/t?user=other&sslmode=verify-full")
  })
})

test.each(["transfers.db", "sqlite:a.sqlite", "book.csv", "postgres.csv", "a@b.csv", "https"])(
  "%s has nothing to hide",
  (text) => {
    expect(shown(text)).toBe(text)
  },
)

test("knows which texts are addresses", () => {
  for (const text of ["transfers.db", "a.sqlite", "a.sqlite3", "sqlite:x", "postgres://h/d", "postgresql://h/d"]) {
    expect(isAddress(text), text).toBe(true)
  }
  // It is meant as one: the error says what is wrong with it.
  expect(isAddress("postgres://[")).toBe(true)
  for (const text of ["transfers", "sqlite:", "a.db.csv", "mysql://h/d", "xpostgres://h"]) {
    expect(isAddress(text), text).toBe(false)
  }
})

test.each([
  "host=db.example password=s3cret",
  "Server=db.example;Pwd=s3cret;",
  "sqlite:postgres://me:s3cret@db.example/m",
])("%s is no address, and neither shown nor in the error", (text) => {
  expect(shown(text)).not.toContain("s3cret")
  const error = parse(text)
  expect(Result.isFailure(error) && error.failure.message).toMatch(/^the address: write sqlite:FILE/)
})
