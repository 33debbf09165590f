import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { bin } from "./Cli.ts"

const milliseconds = (args: ReadonlyArray<string>): number => {
  const started = performance.now()
  spawnSync(process.execPath, args)
  return performance.now() - started
}

/** The best of several runs, taken in turn: what the program needs, without what else the machine was doing. */
const best = (commands: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> =>
  commands.map((_, index) => Math.min(...rounds.map(() => milliseconds(commands[index] ?? []))))

const rounds = Array.from({ length: 12 })

test("--version takes at most 1.3 times, --help at most twice what an empty Node program takes", { retry: 2 }, () => {
  const [empty = 0, version = 0, help = 0] = best([
    ["-e", "0"],
    [bin, "--version"],
    [bin, "export", "--help"],
  ])
  expect(version / empty).toBeLessThan(1.3)
  expect(help / empty).toBeLessThan(2)
})

test("the bundle is one file of at most 1 MB that needs nothing but Node's own modules", async () => {
  const text = await readFile(bin, "utf8")
  const required = [...text.matchAll(/require\(\\?"([^"\\]+)\\?"\)/g)].map(([, name = ""]) => name)
  expect(text.length).toBeLessThan(1_000_000)
  expect(required.length).toBeGreaterThan(3)
  const { builtinModules } = await import("node:module")
  const builtIn = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)])
  expect([...new Set(required)].filter((name) => !builtIn.has(name))).toEqual([])
})
