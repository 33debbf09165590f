/** A file of parts is the program it was split from. */
import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { bundle } from "../scripts/bundle.ts"

it("loads each part once, shares what it imports with the rest, and names it in stack traces", async () => {
  const { code, inputs, startBytes } = await bundle("test/fixtures/parts/main.ts")
  const folder = await mkdtemp(join(tmpdir(), "parts-"))
  const file = join(folder, "lambda.mjs")
  await writeFile(file, code)
  try {
    const run = `const { handler } = await import(${JSON.stringify(file)}); await handler(); console.log(JSON.stringify(await handler()))`
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" })
    const { same, loads, stack } = JSON.parse(stdout)
    expect({ same, loads }).toEqual({ same: true, loads: 1 })
    expect(stack).toMatch(/^Error: crashed in a part\n +at .*lambda\.mjs\/Part-\w+\.js:\d+/)
    expect(stack).not.toContain("data:")
  } finally {
    await rm(folder, { recursive: true })
  }
  const when = [...inputs].map(([path, time]) => [path.split("/").at(-1), time])
  expect(Object.fromEntries(when)).toEqual({
    "main.ts": "start",
    "Shared.ts": "start",
    "Part.ts": "later",
    "Next.ts": "later",
  })
  expect(startBytes).toBeLessThan(code.length)
  expect(new TextDecoder().decode(code.subarray(0, startBytes))).not.toContain("crashed in a part")
})
