/** Files that change while the fake runs. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

let folder: string
let lines: Array<string>

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  lines = []
  vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0)
})

afterEach(async () => {
  await fs.rm(folder, { recursive: true })
})

const line = (id: string) => JSON.stringify({ id, kind: "cash_in", status: "new", created_at: "2024-06-01T00:00:00Z" })

/** As editors do it: under another name first. */
const replace = async (file: string, text: string) => {
  await fs.writeFile(`${file}.new`, text)
  await fs.rename(`${file}.new`, file)
}

test("new transfers replace the first partner's, but not those of others, and a reset restores them", async () => {
  const dataFile = path.join(folder, "data.ndjson")
  await fs.writeFile(dataFile, `${line("a")}\n${line("b")}`)
  const data = [JSON.parse(line("given"))]
  await using fake = await startFakeServer({ partners: ["demo:demo-secret", "p:s"], data, dataFile, reload: true })
  fake.insert([{ id: "mine" }], "p")
  fake.insert([{ id: "gone" }])
  const ids = async () => (await pageThrough(fake.url)).ids.toSorted()
  expect(await ids()).toEqual(["a", "b", "given", "gone"])
  await replace(dataFile, line("c"))
  await expect.poll(ids).toEqual(["c", "given"])
  expect(lines).toEqual([`transfers-fake: Read the transfers of ${dataFile} again: 2.\n`])
  expect((await pageThrough(fake.url, "", "p:s")).ids).toEqual(["mine"])
  await call(`${fake.url}/_fake/reset`, { method: "POST" })
  expect([await ids(), (await pageThrough(fake.url, "", "p:s")).ids]).toEqual([["c", "given"], []])
  await replace(dataFile, `${line("d")}\n{`)
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^transfers-fake: Cannot read transfers from .*: line 2: .* Nothing has changed\.\n$/)
  await fs.rm(dataFile)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(await ids()).toEqual(["c", "given"])
  await replace(dataFile, line("e"))
  await expect.poll(ids).toEqual(["e", "given"])
})

test("new rules replace those of the file, but not others, and a reset restores them", async () => {
  const faultsFile = path.join(folder, "faults.json")
  const rule = (status: number) => ({ when: { request: 1 }, faults: [{ fault: "status", status }] })
  await fs.writeFile(faultsFile, JSON.stringify({ rules: [rule(501), rule(502)] }))
  const faults = [{ faults: [{ fault: "bom" }] }] as const
  await using fake = await startFakeServer({ faults, faultsFile, reload: true })
  fake.addFaults({ faults: [{ fault: "malformed" }] })
  const names = async () =>
    (await call(`${fake.url}/_fake/faults`)).json.rules.map(
      ({
        rule,
      }: {
        readonly rule: { readonly faults: ReadonlyArray<{ readonly fault: string; readonly status: number }> }
      }) => rule.faults[0]?.status ?? rule.faults[0]?.fault,
    )
  expect(await names()).toEqual(["bom", 501, 502, "malformed"])
  await replace(faultsFile, JSON.stringify(rule(503)))
  await expect.poll(names).toEqual(["malformed", "bom", 503])
  await replace(faultsFile, '{"faults":[{"fault":"nonsense"}]}')
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines).toEqual([
    `transfers-fake: Read the fault rules of ${faultsFile} again: 1.\n`,
    expect.stringMatching(/Cannot read fault rules from .*: expected fault to be one of .*\. Nothing has changed\.\n$/),
  ])
  await replace(faultsFile, '{"faults":[{"fault":"bom",\n"fault":"malformed"}]}')
  await expect.poll(() => lines).toHaveLength(3)
  expect(lines[2]).toContain('line 2, column 1: its object has "fault" already: remove one of the two. Nothing')
  await call(`${fake.url}/_fake/reset`, { method: "POST" })
  expect(await names()).toEqual(["bom", 503])
})

test("files are read once unless an option says otherwise", async () => {
  const dataFile = path.join(folder, "data.ndjson")
  await fs.writeFile(dataFile, line("a"))
  await using fake = await startFakeServer({ dataFile })
  await replace(dataFile, line("b"))
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect((await pageThrough(fake.url)).ids).toEqual(["a"])
})

test("writes no control character of a file to the terminal", async () => {
  const dataFile = path.join(folder, "data.ndjson")
  await fs.writeFile(dataFile, line("a"))
  await using _fake = await startFakeServer({ dataFile, reload: true })
  await replace(dataFile, line("a").replace("2024-06-01", "\\u001b[2J\u009b2J"))
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^transfers-fake: Cannot read transfers from [^\p{Cc}]* Nothing has changed\.\n$/u)
})
