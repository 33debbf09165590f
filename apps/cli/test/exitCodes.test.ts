/** What is down ends with 4, so that a scheduler tries again; what was asked for wrongly with 2, so that it does not. */
import { MirrorError } from "@transferkit/mirror/MirrorError"
import { expect, test } from "vitest"
import * as ExitCode from "../src/ExitCode.ts"
import { run } from "./InProcess.ts"

test.each([
  ["unavailable", 4],
  ["busy", 4],
  ["taken_over", 4],
  ["brake", 5],
  ["rejected", 2],
  ["usage", 2],
] as const)("a mirror that is %s: %d", (kind, code) => {
  expect(ExitCode.of(new MirrorError({ kind, mirror: "a", reason: "b" }))).toBe(code)
})

const database = "postgres://finance@127.0.0.1:1/transfers"
const service = {
  TRANSFERS_BASE_URL: "http://127.0.0.1:1",
  TRANSFERS_PARTNER_ID: "demo",
  TRANSFERS_SECRET_KEY: "demo-secret",
}

test.each([
  [["query", "--from", database, "SELECT 1"]],
  [["search", "--from", database]],
  [["sync", "--to", database]],
  [["summary"]],
])("%j ends with 4 while the database or the service is down", async (args) => {
  const { code, stdout, stderr } = await run(args, { env: service })
  expect({ code, stdout }, stderr).toEqual({ code: 4, stdout: "" })
})
