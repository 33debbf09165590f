/** A contestant with another answer fails the benchmark before anything is timed. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

const folder = join(import.meta.dirname, "wrong")
const files = readdirSync(folder)

test("every wrong contestant is tried", () => assert.equal(files.length, 5))

for (const file of files) {
  test(`${file} fails the benchmark`, () => {
    const main = join(import.meta.dirname, "../src/main.ts")
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, join(folder, file)], { encoding: "utf8" })
    assert.equal(status, 1)
    assert.equal(stdout, "")
    assert.match(stderr, /two contestants disagree\n.*: .*\nwrong: |Error: wrong rejects only 0/)
    assert.doesNotMatch(stderr, /round 1/)
  })
}
