import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"

const source = join(import.meta.dirname, "../src/commands/HeapTuning.ts")

// In a process of its own, because V8's flags are for all of it.
test("gives young objects at least 16 MiB at once, and no more when ten times as much is in use", () => {
  const program = `
    import { getHeapSpaceStatistics } from "node:v8"
    import { preferSmallHeap } from ${JSON.stringify(source)}
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size
    const before = young()
    preferSmallHeap()
    const at = young()
    const survivors = []
    for (let count = 0; count < 100; count++) survivors.push(Array.from({ length: 20_000 }, () => ({})))
    console.log(JSON.stringify({ before, at, after: young() }))`
  const args = ["--input-type=module-typescript", "--no-warnings", "--eval", program]
  const sizes = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }))
  expect(sizes.before).toBeLessThan(16 * 1024 * 1024)
  expect(sizes.at).toBeGreaterThanOrEqual(16 * 1024 * 1024)
  expect(sizes.after).toBe(sizes.at)
})
