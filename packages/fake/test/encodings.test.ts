/** Files and bodies that are not UTF-8 are rejected: their characters would be lost. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"

let folder = ""
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "transfers-fake-encodings-"))
})
afterAll(() => fs.rm(folder, { recursive: true }))

const transfer = (id: string) =>
  JSON.stringify({ id, kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" })
const latin1 = (text: string) => Buffer.from(text, "latin1")

test.each([
  ["lines", "dataFile", `${transfer("a")}\n${transfer("M\u00fcller")}\n`],
  ["the last line", "dataFile", `${transfer("a")}\n${transfer("M\u00fcller")}`],
  ["a list", "dataFile", `[${transfer("a")},\n${transfer("M\u00fcller")}]`],
  ["rules", "faultsFile", '[{"name":\n"M\u00fcller","faults":[{"fault":"bom"}]}]'],
])("a file of %s in Latin-1", async (_, option, text) => {
  const file = path.join(folder, "latin1.json")
  await fs.writeFile(file, latin1(text))
  await expect(startFakeServer({ [option]: file })).rejects.toThrow(
    "line 2: a character was lost; save the file as UTF-8",
  )
})

test("a replacement character that was written is text", async () => {
  const file = path.join(folder, "written.ndjson")
  await fs.writeFile(file, transfer("a\ufffd"))
  await using fake = await startFakeServer({ dataFile: file })
  expect(await (await fetch(`${fake.url}/_fake/transfers/a%EF%BF%BD`)).json()).toMatchObject({ id: "a\ufffd" })
})

test("a body of the admin API in Latin-1", async () => {
  await using fake = await startFakeServer()
  const response = await fetch(`${fake.url}/_fake/transfers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Uint8Array(latin1('[{"external_id":"M\u00fcller"}]')),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain("The body is not UTF-8: a character was lost.")
})
