import * as PagerErrors from "@transferkit/domain/TransferPagerError"
import { describe, expect, test } from "vitest"
import * as ExitCode from "../src/ExitCode.ts"
import * as ErrorReport from "../src/output/ErrorReport.ts"

describe("a failure of the pager", () => {
  const faultsOfTheService: ReadonlyArray<readonly [ExitCode.Failure, number]> = [
    [new PagerErrors.CursorCycle({ cursor: "c", page: 2 }), ExitCode.contract],
    [new PagerErrors.MissingCursor({ page: 2 }), ExitCode.contract],
    [new PagerErrors.EmptyPages({ budget: 100 }), ExitCode.contract],
    [new PagerErrors.OutsideFilter({ id: "tr_1", reason: "too late" }), ExitCode.contract],
    [new PagerErrors.CursorExpired({ reason: "No." }), ExitCode.service],
    [new PagerErrors.OrderBroken(), ExitCode.service],
  ]

  test.each(faultsOfTheService)("never counts as a usage error: %s", (failure, code) => {
    expect(ExitCode.of(failure)).toBe(code)
    expect(JSON.parse(ErrorReport.render(failure, { json: true })).error).toMatchObject({
      code: failure._tag,
      exit_code: code,
    })
  })

  test.each([
    new PagerErrors.CursorExpired({ reason: "No." }),
    new PagerErrors.OrderBroken(),
    new PagerErrors.CheckpointMismatch({ checkpoint: "a", query: "b" }),
  ])("names --force if it ends a resumed export: %s", (failure) => {
    const text = ErrorReport.render(failure, { json: false })
    expect(text).toContain("--force")
    expect(text).not.toContain("checkpoint")
  })
})

test("a defect is reported as one, with its message", () => {
  expect(ErrorReport.renderDefect(new Error("no\u001b[2J"), { json: false })).toBe("error: no\\x1b[2J\n")
  expect(JSON.parse(ErrorReport.renderDefect("odd", { json: true }))).toEqual({
    error: { code: "Defect", message: "odd", exit_code: 70 },
  })
})
