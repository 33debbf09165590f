/** An interrupted demo cleans up. A step of `.ci/run` runs it to its end. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"

it.each(["SIGINT", "SIGTERM"] as const)("the demo leaves no process and no file behind on %s", async (signal) => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-demo-test-"))
  const demo = spawn(process.execPath, [join(Repository.root, "scripts/demo.ts")], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "ignore"],
  })
  let url = ""
  for await (const line of createInterface({ input: demo.stdout })) {
    url = /^listening on (\S+)/.exec(line)?.[1] ?? ""
    if (url !== "") break
  }
  await expect(fetch(url)).resolves.toBeInstanceOf(Response)
  demo.kill(signal)
  const [code] = await once(demo, "exit")
  expect(code).toBe(signal === "SIGINT" ? 130 : 143)
  expect(readdirSync(folder)).toEqual([])
  await expect(fetch(url)).rejects.toBeInstanceOf(Error)
  rmSync(folder, { recursive: true })
})
