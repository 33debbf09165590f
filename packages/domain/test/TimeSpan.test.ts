import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Span from "../src/TimeSpan.ts"
import * as Timestamp from "../src/Timestamp.ts"

const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")

const parsed = (text: string): string =>
  Result.match(Span.parse(text, { now }), {
    onFailure: ({ reason }) => reason,
    onSuccess: ({ from, to }) => `${from.text} ${to.text}`,
  })

describe("parse", () => {
  test.each([
    ["2024-09-01T02:00:00+02:00", "2024-09-01T02:00:00+02:00 2024-09-01T02:00:00+02:00"],
    ["2024-09-30", "2024-09-30T00:00:00Z 2024-10-01T00:00:00Z"],
    ["2024-02", "2024-02-01T00:00:00Z 2024-03-01T00:00:00Z"],
    ["2024-12", "2024-12-01T00:00:00Z 2025-01-01T00:00:00Z"],
    ["2024", "2024-01-01T00:00:00Z 2025-01-01T00:00:00Z"],
    ["24h", "2024-09-14T12:30:00Z 2024-09-14T12:30:00Z"],
    ["90s", "2024-09-15T12:28:30Z 2024-09-15T12:28:30Z"],
    ["15m", "2024-09-15T12:15:00Z 2024-09-15T12:15:00Z"],
    ["2w", "2024-09-01T12:30:00Z 2024-09-01T12:30:00Z"],
    ["now", "2024-09-15T12:30:00Z 2024-09-15T12:30:00Z"],
    ["today", "2024-09-15T00:00:00Z 2024-09-16T00:00:00Z"],
    ["yesterday", "2024-09-14T00:00:00Z 2024-09-15T00:00:00Z"],
  ])("reads %s", (text, expected) => {
    expect(parsed(text)).toBe(expected)
  })

  test.each(["2024-13", "2024-02-30", "soon", "", "24 h", "h", "-1d", "2024-09-01 00:00:00Z", "constructor"])(
    "rejects %j and says what is accepted",
    (text) => {
      expect(parsed(text)).toContain("is not a time: ")
      expect(parsed(text)).toContain("an age (24h, 7d, 2w)")
    },
  )

  test("parses the last year of RFC 3339", () => {
    expect(parsed("9999")).toBe(`9999-01-01T00:00:00Z ${Timestamp.latest.text}`)
  })
})

describe("toFilter", () => {
  test("takes the start of since and the end of until, so that one month is that month", () => {
    const filter = Span.toFilter({ since: "2024-09", until: "2024-09" }, { now })
    expect(Result.map(filter, String)).toEqual(
      Result.succeed("CreatedAt(gte:2024-09-01T00:00:00Z lt:2024-10-01T00:00:00Z)"),
    )
  })

  test("is everything without either", () => {
    const filter = Result.getOrThrow(Span.toFilter({ since: undefined, until: undefined }, { now }))
    expect(CreatedAt.equals(filter, CreatedAt.all)).toBe(true)
  })

  test("rejects an empty range and an invalid time, and names the filter", () => {
    const empty = Span.toFilter({ since: "2024-10", until: "2024-09" }, { now })
    expect(Result.getFailure(empty)).toMatchObject({
      value: { message: expect.stringContaining("no transfer can match") },
    })
    const unread = Span.toFilter({ since: undefined, until: "soon" }, { now })
    expect(Result.getFailure(unread)).toMatchObject({ value: { message: expect.stringMatching(/^until: "soon"/) } })
  })
})
