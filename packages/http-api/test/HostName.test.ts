import * as HostName from "@transferkit/http-api/HostName"
import { describe, expect, it } from "vitest"

describe("isLoopback", () => {
  it.each(["localhost", "LOCALHOST", "127.0.0.1", "127.255.0.9", "::1", "[::1]"])("accepts %s", (name) => {
    expect(HostName.isLoopback(name)).toBe(true)
  })

  it.each([
    "",
    "localhost.",
    "a.localhost",
    "localhost.example",
    "127.0.0.1.example",
    "128.0.0.1",
    "0.0.0.0",
    "::",
    "::11",
  ])("rejects %j", (name) => {
    expect(HostName.isLoopback(name)).toBe(false)
  })
})

it.each([
  ["example.com", "example.com"],
  ["EXAMPLE.com:", "example.com"],
  ["[FE80::1]:80", "fe80::1"],
  ["fake_1:8080", "fake_1"],
  ["[x", ""],
  ["a:b", ""],
  ["a b", ""],
  [":1", ""],
  ["user@localhost", ""],
])("a Host header %j names %j", (header, name) => {
  expect(HostName.ofHeader(header)).toBe(name)
})

describe("isUnregistrable", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "::1",
    "fe80::1",
    "::ffff:127.0.0.1",
    "fake",
    "transfers-fake",
    "localhost",
    "a.b.localhost",
  ])("accepts %s", (name) => {
    expect(HostName.isUnregistrable(name)).toBe(true)
  })

  it.each(["", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "1.2.3", "fake.", "a..localhost"])(
    "rejects %j",
    (name) => {
      expect(HostName.isUnregistrable(name)).toBe(false)
    },
  )
})
