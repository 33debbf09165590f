/** `transfers validate` reproduces a verdict from a copy of the capabilities, to the byte. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposalOf } from "./proposal.ts"
import { startService } from "./service.ts"

const cli = new URL("../../cli/src/bin.ts", import.meta.url).pathname
const capabilities = new URL("fixtures/capabilities.json", import.meta.url).pathname

const proposal = proposalOf("order-1")

const proposals = [
  proposal,
  proposal,
  {
    ...proposal,
    external_id: 'Grüße \u2028 "quoted"',
    country_code: "ZZ",
    source: { amount: "1.001", currency_code: "fiat/USD" },
  },
  { ...proposal, external_id: undefined, source: { amount: 7, currency_code: "fiat/XXX" } },
  {},
  null,
  "text",
]

it("returns the capabilities that a verdict rests on, by their hash", async () => {
  await using service = await startService()
  const lambda = makeLambda(service.url)
  const { hash } = Object(await lambda.invoke(proposal)).capabilities
  expect(await lambda.invoke({ capabilities: hash })).toEqual(JSON.parse(readFileSync(capabilities, "utf8")))
  expect(service.requests).toHaveLength(1)
  await expect(lambda.invoke({ capabilities: "sha256:0" })).rejects.toMatchObject({
    name: "UnknownCapabilities",
    message: `The capabilities sha256:0 are not at hand. Those in force are ${hash}.`,
  })
  await expect(lambda.invoke({ capabilities: "x".repeat(1000) })).rejects.toMatchObject({
    message: `The capabilities ${"x".repeat(64)} are not at hand. Those in force are ${hash}.`,
  })
})

it("returns the verdicts of the command line", async () => {
  await using service = await startService()
  const result = JSON.parse(JSON.stringify(await makeLambda(service.url).invoke({ transfers: proposals })))
  const folder = await mkdtemp(join(tmpdir(), "replay-"))
  const file = join(folder, "proposals.json")
  await writeFile(file, JSON.stringify({ transfers: proposals }))
  const { hash } = result.capabilities
  const args = [cli, "validate", file, "--capabilities", capabilities, "--expect-hash", hash, "--output"]
  const { stdout, status } = spawnSync(process.execPath, [...args, "ndjson"], { encoding: "utf8" })
  await rm(folder, { recursive: true })
  const lines: ReadonlyArray<string> = result.results.map((verdict: unknown) => JSON.stringify(verdict))
  expect(stdout).toBe(`${lines.join("\n")}\n`)
  expect({ status, count: lines.length }).toEqual({ status: 1, count: 7 })
})
