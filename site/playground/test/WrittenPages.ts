/** Pages that the program writes into a folder, opened in Chromium. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect } from "vitest"
import * as Chromium from "../../../apps/fake-server/scripts/Chromium.ts"

/** The script of axe. */
export const axe = createRequire(new URL("../../../apps/fake-server/package.json", import.meta.url)).resolve(
  "axe-core/axe.min.js",
)

const program = new URL("../../../apps/cli/src/bin.ts", import.meta.url).pathname

/** A browser and a folder that all tests of a file share. */
export const use = () => {
  let browser: Awaited<ReturnType<typeof Chromium.start>>
  let folder: string
  beforeAll(async () => {
    browser = await Chromium.start()
    folder = await mkdtemp(join(tmpdir(), "transfers-pages-"))
  })
  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true })
  })
  const file = (name: string) => join(folder, name)
  const open = async (name: string, width = 1280) => {
    const page = await browser.newPage()
    await page.setViewport({ width, height: 900 })
    await page.setBypassCSP(true)
    await page.goto(`file://${file(name)}`)
    return page
  }
  return { file, open, run }
}

/** Runs the program; breaks are an exit code of their own. */
const run = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<void> => {
  const options = { stdio: "ignore", env: { ...process.env, ...env } } as const
  const [code] = await once(spawn(process.execPath, [program, ...args], options), "exit")
  expect([0, 1]).toContain(code)
}
