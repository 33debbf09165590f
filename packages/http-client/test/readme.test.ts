import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { createTransferClient } from "../src/promise.ts"

const here = fileURLToPath(new URL("..", import.meta.url))

/** The export program of the README. */
const exporter = async (): Promise<string> => {
  const readme = await readFile(join(here, "README.md"), "utf8")
  const [program, ...others] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, text]) => text ?? "")
    .filter((text) => text.includes("appendFile"))
  if (program === undefined || others.length > 0) throw new Error("the README shows no export program, or several")
  return program
}

test("the export program of the README, killed again and again, writes every transfer once", async () => {
  const total = 3000
  await using fake = await startFakeServer({ transfers: total })
  const folder = await mkdtemp(join(tmpdir(), "readme-"))
  try {
    await mkdir(join(folder, "node_modules/@transferkit"), { recursive: true })
    await symlink(here, join(folder, "node_modules/@transferkit/http-client"))
    const program = await exporter()
    expect(
      program
        .trim()
        .split("\n")
        .filter((line) => line !== "").length,
    ).toBeLessThanOrEqual(12)
    await writeFile(join(folder, "export.mts"), program)

    let kills = 0
    for (;;) {
      const child = spawn(process.execPath, ["export.mts"], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          TRANSFERS_BASE_URL: fake.url,
          TRANSFERS_PARTNER_ID: "demo",
          TRANSFERS_SECRET_KEY: "demo-secret",
        },
      })
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
      // Lives a fifth longer each time: it is killed at different places, and finishes however busy the machine is.
      const timer = setTimeout(() => child.kill("SIGKILL"), 350 * 1.2 ** kills)
      const [code] = await once(child, "exit")
      clearTimeout(timer)
      if (code === 0) break
      expect(stderr).toBe("")
      expect(++kills).toBeLessThan(25)
    }

    expect(kills).toBeGreaterThan(2)
    const lines = (await readFile(join(folder, "transfers.ndjson"), "utf8")).trimEnd().split("\n")
    const client = createTransferClient({ baseUrl: fake.url, partnerId: "demo", secretKey: "demo-secret" })
    const expected: Array<string> = []
    for await (const transfer of client.list()) expected.push(JSON.stringify(transfer))
    expect(expected.length).toBe(total)
    expect(lines.sort()).toEqual(expected.sort())
  } finally {
    await rm(folder, { recursive: true })
  }
}, 120_000)
