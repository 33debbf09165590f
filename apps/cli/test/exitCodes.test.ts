/** What is down ends with 4, so that a scheduler tries again; what was asked for wrongly with 2, so that it does not. */
import { MirrorError } from "@transferkit/mirror/MirrorError"
import { expect, test } from "vitest"
import * as ExitCode from "../src/ExitCode.ts"
import * as Cli from "./Cli.ts"
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

test.each([
  [["validate", "--help"]],
  [["validate", "--help", "--output", "json"]],
  [["help", "validate"]],
  [["--version"]],
  [["validate", "--version"]],
])("%j ends with 2 if the disk is full", async (args) => {
  const { code, stderr } = await Cli.run(args, { through: ["sh", "-c", `exec "$@" > /dev/full`, "sh"] })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/standard output: (?:ENOSPC|the disk)/) })
})

test("the help of a reader that goes away ends with 0", async () => {
  const through = ["bash", "-c", `"$@" | true; exit "\${PIPESTATUS[0]}"`, "bash"]
  const { code, stderr } = await Cli.run(["validate", "--help", "--output", "json"], { through })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
})
