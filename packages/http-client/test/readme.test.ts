import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { createTransferClient } from "../src/promise.ts"

const here = fileURLToPath(new URL("..", import.meta.url))

/** The programs in a document. */
const programsOf = async (document: string): Promise<ReadonlyArray<string>> =>
  [...(await readFile(join(here, document), "utf8")).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = ""]) => text)

/** A new folder with the package installed. */
const project = async () => {
  const folder = await mkdtemp(join(tmpdir(), "readme-"))
  await mkdir(join(folder, "node_modules/@transferkit"), { recursive: true })
  await symlink(here, join(folder, "node_modules/@transferkit/http-client"))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const settingsOf = ({ url }: { readonly url: string }) => ({
  TRANSFERS_BASE_URL: url,
  TRANSFERS_PARTNER_ID: "demo",
  TRANSFERS_SECRET_KEY: "demo-secret",
})

test.each(["README.md", "../../README.md"])(
  "the first program of %s has three lines, and prints every transfer",
  async (document) => {
    await using fake = await startFakeServer({ transfers: 45 })
    await using consumer = await project()
    const [first = ""] = await programsOf(document)
    expect(first.trim().split("\n").filter(Boolean)).toHaveLength(3)
    await writeFile(join(consumer.folder, "first.mts"), first)
    const { stdout } = await promisify(execFile)(process.execPath, ["first.mts"], {
      cwd: consumer.folder,
      env: settingsOf(fake),
    })
    const lines = stdout.trimEnd().split("\n")
    expect(new Set(lines).size).toBe(45)
    expect(lines.every((line) => /^[\w-]{36} \w+$/.test(line))).toBe(true)
  },
)

test("the export program of the README, killed again and again, writes every transfer once", async () => {
  const total = 2000
  await using fake = await startFakeServer({ transfers: total })
  await using consumer = await project()
  const { folder } = consumer
  const [program = "", ...others] = (await programsOf("README.md")).filter((text) => text.includes("appendFile"))
  expect(others).toEqual([])
  expect(program.trim().split("\n").filter(Boolean).length).toBeLessThanOrEqual(12)
  await writeFile(join(folder, "export.mts"), program)

  let kills = 0
  for (;;) {
    const child = spawn(process.execPath, ["export.mts"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: settingsOf(fake),
    })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    // Lives half as long again each time: it is killed at different places, and finishes however busy the machine is.
    const timer = setTimeout(() => child.kill("SIGKILL"), 300 * 1.5 ** kills)
    const [code] = await once(child, "exit")
    clearTimeout(timer)
    if (code === 0) break
    expect(stderr).toBe("")
    expect(++kills).toBeLessThan(15)
  }

  expect(kills).toBeGreaterThan(2)
  const lines = (await readFile(join(folder, "transfers.ndjson"), "utf8")).trimEnd().split("\n")
  const client = createTransferClient({ baseUrl: fake.url, partnerId: "demo", secretKey: "demo-secret" })
  const expected: Array<string> = []
  for await (const transfer of client.list()) expected.push(JSON.stringify(transfer))
  expect(expected.length).toBe(total)
  expect(lines.sort()).toEqual(expected.sort())
})
