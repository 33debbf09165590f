import { InvalidRequest } from "@transferkit/domain/TransferApiError"
import * as PagerErrors from "@transferkit/domain/TransferPagerError"
import { FileError } from "@transferkit/files/FileError"
import { describe, expect, test } from "vitest"
import * as ExitCode from "../src/ExitCode.ts"
import * as ErrorReport from "../src/output/ErrorReport.ts"

describe("a failure of the pager", () => {
  const faultsOfTheService: ReadonlyArray<readonly [ExitCode.Failure, number]> = [
    [new PagerErrors.CursorCycle({ cursor: "c", page: 2 }), ExitCode.contract],
    [new PagerErrors.MissingCursor({ page: 2 }), ExitCode.contract],
    [new PagerErrors.EmptyPages({ budget: 100 }), ExitCode.contract],
    [new PagerErrors.RepeatedPages({ pages: 100, id: "tr_1" }), ExitCode.contract],
    [new PagerErrors.OutsideFilter({ id: "tr_1", reason: "too late" }), ExitCode.contract],
    [new PagerErrors.MovedTransfer({ id: "tr_1", created_at: "2024-09-01T00:00:00Z" }), ExitCode.contract],
    [new PagerErrors.CursorExpired({ reason: "No." }), ExitCode.service],
    [new PagerErrors.SecondTooLarge({ second: "2024-09-01T00:00:00Z", most: 100_000 }), ExitCode.service],
  ]

  test.each(faultsOfTheService)("never counts as a usage error: %s", (failure, code) => {
    expect(ExitCode.of(failure)).toBe(code)
    expect(JSON.parse(ErrorReport.render(failure, { json: true })).error).toMatchObject({
      code: failure._tag,
      exit_code: code,
    })
  })

  test("names --force if the filters of a resumed export differ", () => {
    const failure = new PagerErrors.CheckpointMismatch({ checkpoint: "a", query: "b" })
    const text = ErrorReport.render(failure, { json: false })
    expect(text).toContain("--force")
    expect(text).not.toContain("checkpoint")
  })
})

test("what the service or a file says cannot forge a line", () => {
  const failures = [
    new InvalidRequest({ status: 400, errors: [{ code: "bad", message: "no\nerror: Saved as live\r\n" }] }),
    new FileError({ path: "a\nerror: b.csv", reason: "it is odd:\n  at [0]" }),
  ]
  for (const failure of failures) {
    const text = ErrorReport.render(failure, { json: false })
    expect(text.match(/^error: /gm)).toHaveLength(1)
    expect(text.trimEnd().split("\n")).toHaveLength(1)
  }
})

test.each([
  new PagerErrors.EmptyPages({ budget: 100 }),
  new PagerErrors.SecondTooLarge({ second: "2024-09-01T00:00:00Z", most: 100_000 }),
  new PagerErrors.CursorExpired({ reason: "No." }),
])("names no option that the program lacks: %s", (failure) => {
  expect(ErrorReport.render(failure, { json: false })).not.toMatch(/emptyPageBudget|checkpoint|page after page/i)
})

test("a defect is reported as one, with its message", () => {
  expect(ErrorReport.renderDefect(new Error("no\u001b[2J"), { json: false })).toBe("error: no\\x1b[2J\n")
  expect(JSON.parse(ErrorReport.renderDefect("odd", { json: true }))).toEqual({
    error: { code: "Defect", message: "odd", exit_code: 70 },
  })
})
