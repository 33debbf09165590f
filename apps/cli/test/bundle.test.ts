import { spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { builtinModules } from "node:module"
import { expect, test } from "vitest"
import { bin } from "./Cli.ts"

test("--version and --help do without compiling the program, which is most of a start", async () => {
  const text = await readFile(bin, "utf8")
  // No function can have this parameter, so that compiling the program fails.
  const broken = text.replace('["exports","require","module"]', '["break"]')
  expect(broken).not.toBe(text)
  const path = `${bin}.broken.cjs`
  await writeFile(path, broken)
  const start = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, [path, ...args], { encoding: "utf8" })
  for (const args of [["--version"], ["--help"], ["export", "--help"], ["profiles", "save", "-h"], []]) {
    expect(start(...args), args.join(" ")).toMatchObject({ status: 0, stderr: "" })
  }
  expect(start("whoami")).toMatchObject({ status: 1, stdout: "" })
})

test("the bundle is one file of at most 1 MB that needs nothing but Node's own modules", async () => {
  const text = await readFile(bin, "utf8")
  const required = [...text.matchAll(/require\(\\?"([^"\\]+)\\?"\)/g)].map(([, name = ""]) => name)
  const builtIn = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)])
  expect(text.length).toBeLessThan(1_000_000)
  expect(required.length).toBeGreaterThan(3)
  expect([...new Set(required)].filter((name) => !builtIn.has(name))).toEqual([])
})
