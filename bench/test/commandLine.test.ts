/** A usage error is reported before anything starts. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"

const run = (program: string, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, "../src", program), ...args], { encoding: "utf8" })

const rejected: ReadonlyArray<readonly [reason: RegExp, program: string, ...args: ReadonlyArray<string>]> = [
  [/^No benchmark is called nosuch\. Choose from: decode, money, /, "main.ts", "decode", "nosuch"],
  [/^No benchmark is called nosuch\.ts\./, "main.ts", "nosuch.ts"],
  [/^--rounds takes a whole number from 1 to 9999, not "x"\.\n$/, "main.ts", "decode", "--rounds", "x"],
  [/^Unknown option '--bogus'/, "main.ts", "--bogus"],
  [/^No budget's name contains nosuch\./, "budgets.ts", "nosuch"],
  [/^Unknown option '--bogus'/, "budgets.ts", "--bogus"],
]

for (const [reason, program, ...args] of rejected) {
  test(`${program} rejects ${args.join(" ")}`, () => {
    const { status, stdout, stderr } = run(program, ...args)
    assert.equal(status, 2)
    assert.equal(stdout, "")
    assert.match(stderr, reason)
  })
}

for (const program of ["main.ts", "budgets.ts"]) {
  test(`${program} --help prints the usage`, () => {
    const { status, stdout } = run(program, "--help")
    assert.equal(status, 0)
    assert.match(stdout, /^ {2}pnpm (bench|budgets) /m)
  })
}
