/** What the flags alone show to be wrong is said first: before settings are asked for, and before anything is read. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Cli from "./Cli.ts"
import { run } from "./InProcess.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-checks-"))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([
  [["search", "order-1", "--external-id", "order-2"], "Give the external_id as an argument or with --external-id"],
  [["search", ""], "<id>: expected an identifier, such as order-1001, found nothing."],
  [["search", "--external-id="], "--external-id: it is empty. Give an identifier, such as order-1001."],
  [["show", ""], "<id>: expected an identifier, such as order-1001, found nothing."],
  [["search", "--all", "--after-cursor", "c"], "--all starts at the first page, --after-cursor at another"],
  [["search", "--sort", "nothing"], "--sort: "],
  [["search", "--since", "once"], "--since: "],
  [["search", "--jq", ".", "--output", "csv"], "--jq"],
  [["export", "--out", "a.ndjson", "--columns", "id"], "--columns: ndjson has every field"],
  [["export", "--out", "a.csv", "--currency", "usd"], "--currency: "],
  [["export", "--out", "-"], "--out - has no name: give --format."],
  [["summary", "--by", "hour"], '--by: no dimension "hour".\nThe dimensions are day, week, '],
  [["summary", "--by", "currency,day,currency"], '--by: "currency" is named twice.\n'],
  [["summary", "--field", "source_total,source_total"], '--field: "source_total" is named twice.\n'],
  [["summary", "--by", "curency"], '--by: no dimension "curency". Did you mean currency?\n'],
  [["summary", "--field", "service_fees"], '--field: no amount "service_fees". Did you mean service_fee?\n'],
  [["summary", "--chart", "--output", "csv"], "--chart cannot be combined with --output csv"],
  [["watch", "--output", "json"], "A watch has no end"],
  [["mcp", "--mask", "wallet"], "--mask: expected "],
  [["mcp", "--http", "--host", "0.0.0.0"], "--host 0.0.0.0 lets others in"],
])("%j is rejected without settings", async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(message) })
  expect(stderr).not.toContain("Missing: ")
})

test("leaves standard input to the client of a server for models", async () => {
  const { code, stderr } = await Cli.run(["mcp", "--secret-key-stdin"], { stdin: "not a key" })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Standard input belongs to the client") })
})

test.each([
  ["search", "--sandbox"],
  ["summary", "--sandbox"],
  ["show", "order-1", "--sandbox"],
  ["capabilities", "--sandbox"],
  ["search", "--from", "transfers.db"],
  ["search"],
  ["whoami"],
])("%s %s takes one profile", async (...args) => {
  const { code, stderr } = await run([...args, "--profile", "a", "--profile", "b"])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--profile: name one profile.") })
})

test("--quiet silences progress and notes, and no warning", async () => {
  const search = ["search", "--sandbox", "--status", "declned", "--output", "csv"]
  const warning = 'warning: "declned" is not a known status: executing, approved, complete, declined\n'
  expect((await run(search)).stderr).toContain(warning)
  expect((await run([...search, "--quiet"])).stderr).toBe(warning)
  const exported = ["export", "--sandbox", "--now", "2025-01-01", "--since", "2024-12-30"]
  const [loud, quiet] = [join(folder, "loud.csv"), join(folder, "quiet.csv")]
  expect((await run([...exported, "--out", loud])).stderr).toContain("transfers in ")
  expect((await run([...exported, "--out", quiet, "--quiet"])).stderr).toBe("")
})
