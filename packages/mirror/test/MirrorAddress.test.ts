/** How the address of a database decides about encryption: like a URL, it is safe unless it says otherwise. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { parse } from "../src/MirrorAddress.ts"

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
    ["postgres://me:secret@db.example/t?sslmode=disable&sslmode=require", "the parameter sslmode twice"],
    ["postgres://me:secret@db.example/t?sslmode=disable&sslrootcert=a.pem", "sslrootcert has no effect"],
    ["postgres://me:secret@db.example/t?prepare=no", "prepare is true or false"],
  ])("at %s is rejected: %s", (address, reason) => {
    expect(reasonOf(address)).toContain(reason)
    expect(reasonOf(address)).not.toContain("secret")
  })

  test("gets only the parameters that the driver knows", () => {
    const parsed = Result.getOrThrow(parse("postgres://me@db.example/t?sslrootcert=ca.pem&prepare=false&user=other"))
    if (parsed._tag !== "Postgres") throw new Error("a file")
    expect(parsed).toMatchObject({ sslrootcert: "ca.pem", prepare: false, encryption: "verified" })
    expect(Redacted.value(parsed.url)).toBe("postgres://me@db.example/t?user=other&sslmode=verify-full")
  })
})
