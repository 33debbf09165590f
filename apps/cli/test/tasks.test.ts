/** Each command of docs/tasks.md runs as it is written, after the others, and shows what the page says. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import stringWidth from "string-width"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { type Outcome, type Perform, stage } from "./Examples.ts"
import { see } from "./Terminal.ts"

const path = join(import.meta.dirname, "../../../docs/tasks.md")
const page = await readFile(path, "utf8")
const task = /```sh\n([^`]*)\n```\n\n```text\n([^`]*)\n```/g

let folder: string
let fake: RunningFakeServer
let perform: Perform

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-tasks-"))
  await mkdir(join(folder, "props"))
  fake = await startFakeServer({ transfers: 5000, seed: 2024 })
  perform = await stage(folder)
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const shown = ({ code, stdout, stderr }: Outcome): string =>
  `${stdout}${stderr}${code === 0 ? "" : `(exit code ${code})\n`}`.replace(/ +$/gm, "").trimEnd()

test(
  "every task shows what the page says, and fits terminals of 80 and of 200 columns",
  { timeout: 240_000 },
  async () => {
    const tasks = [...page.matchAll(task)]
    expect(tasks.length).toBeGreaterThanOrEqual(30)
    expect(page.match(/^### /gm)).toHaveLength(tasks.length)
    let props = join(folder, "props")
    let seen = page
    let screens = 0
    for (const [block, command = ""] of tasks) {
      const outcome = await perform(command, { props, env: demo(fake.url) })
      seen = seen.replace(block, () => `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`text\n${shown(outcome)}\n\`\`\``)
      props = outcome.folder
      for (const columns of /^transfers [\w ./,=-]+ --output table$/.test(command) ? [80, 200] : []) {
        process.chdir(outcome.folder)
        const { text } = await see(command.split(" ").slice(1, -2), { columns, env: demo(fake.url) })
        screens++
        expect(text.split("\n").filter((line) => stringWidth(line) > columns)).toEqual([])
      }
    }
    expect(screens).toBeGreaterThan(10)
    if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(path, seen)
    else expect(seen).toBe(page)
  },
)
