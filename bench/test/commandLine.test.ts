/** What cannot be done is refused before anything is started, and loses no result. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"

const run = (program: string, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, "../src", program), ...args], { encoding: "utf8" })

const refused: ReadonlyArray<readonly [reason: RegExp, program: string, ...args: ReadonlyArray<string>]> = [
  [/^There is no benchmark nosuch\. There are: decode, money, /, "main.ts", "decode", "nosuch"],
  [/^There is no benchmark nosuch\.ts\./, "main.ts", "nosuch.ts"],
  [/^--rounds is "x", and has to be a whole number from 1 to 9999\.\n$/, "main.ts", "decode", "--rounds", "x"],
  [/^Unknown option '--bogus'/, "main.ts", "--bogus"],
  [/^No budget's name has nosuch in it\./, "budgets.ts", "nosuch"],
  [/^Unknown option '--bogus'/, "budgets.ts", "--bogus"],
]

for (const [reason, program, ...args] of refused) {
  test(`${program} ${args.join(" ")}`, () => {
    const { status, stdout, stderr } = run(program, ...args)
    assert.equal(status, 2)
    assert.equal(stdout, "")
    assert.match(stderr, reason)
  })
}

for (const program of ["main.ts", "budgets.ts"]) {
  test(`${program} --help`, () => {
    const { status, stdout } = run(program, "--help")
    assert.equal(status, 0)
    assert.match(stdout, /^ {2}pnpm (bench|budgets) /m)
  })
}
