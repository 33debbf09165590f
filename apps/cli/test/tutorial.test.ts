/** Each command of docs/tutorial.md runs as it is written, after the others, and shows what the page says. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { type Perform, stage } from "./Examples.ts"

const page = await readFile(join(import.meta.dirname, "../../../docs/tutorial.md"), "utf8")
const steps = [...page.matchAll(/```sh\n([^`]*)```(?:\n\n```text\n([^`]*)```)?/g)].map(
  ([, command = "", shown = ""]) => ({
    command: command.trim(),
    shown: shown.split("\n").filter((line) => line !== ""),
  }),
)

let folder: string
let fake: RunningFakeServer
let perform: Perform

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-tutorial-"))
  await mkdir(join(folder, "props"))
  fake = await startFakeServer({ transfers: 5000, seed: 2024 })
  perform = await stage(folder)
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

test("leads to a reconciled month", async () => {
  expect(steps.length).toBeGreaterThan(6)
  let props = join(folder, "props")
  for (const { command, shown } of steps) {
    const outcome = await perform(command, { props, env: demo(fake.url) })
    const hasBreaks = command.startsWith("transfers reconcile")
    expect(outcome.code, `${command}: ${outcome.stderr}`).toBe(hasBreaks ? 1 : 0)
    for (const line of shown) expect(outcome.stdout).toContain(line)
    if (hasBreaks) expect(outcome.stderr).toContain("336 ledger rows, 337 transfers, 2 breaks")
    props = outcome.folder
  }
  const closing = await readFile(join(props, "closing.csv"), "utf8")
  expect(closing).toContain("fiat/USD,141,source_total,fiat/USD,41726.70")
})
