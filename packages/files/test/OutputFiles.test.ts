import { execFileSync } from "node:child_process"
import { link, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as OutputFiles from "../src/node/OutputFiles.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "output-files-"))
  for (const name of ["ledger.csv", "mirror.db"]) await writeFile(join(folder, name), "")
  await symlink(join(folder, "ledger.csv"), join(folder, "link.csv"))
  await link(join(folder, "ledger.csv"), join(folder, "second.csv"))
  await mkdir(join(folder, "sub"))
  execFileSync("mkfifo", [join(folder, "pipe")])
  await symlink("/dev/null", join(folder, "null"))
  await symlink("/proc/self/fd/1", join(folder, "stdout"))
  await symlink(folder, join(folder, "sub", "up"))
})
afterAll(() => rm(folder, { recursive: true }))

const result = <A, E>(effect: Effect.Effect<A, E, NodeServices.NodeServices>) =>
  Effect.runPromise(Effect.provide(Effect.result(effect), NodeServices.layer))

const checked = (given: Readonly<Record<string, unknown>>) => {
  const { ledger = "ledger.csv", from = "", ...rest } = given
  const within = Object.entries(rest).map(([name, path]) => [name, join(folder, String(path))])
  const values = {
    ...Object.fromEntries(within),
    grace: 3,
    quiet: false,
    html: rest["html"] && join(folder, String(rest["html"])),
  }
  const inputs = { ledger: [join(folder, String(ledger))], from: String(from).replace("HERE", folder) }
  return result(OutputFiles.check({ ...values, ...inputs }, ["html", "write_open"]))
}

const reads = "this command reads it, and --html would replace it: name another"
const noFile = "it is a device, a pipe or a socket: name a file"
const same = "--html and --write-open name the same file: give each its own"

test.each([
  [{ html: "ledger.csv" }, reads],
  [{ html: "link.csv" }, reads],
  [{ html: "second.csv" }, reads],
  [{ html: "sub/up/ledger.csv" }, reads],
  [{ html: "mirror.db", from: "sqlite:HERE/mirror.db" }, reads],
  [{ html: "mirror.db", from: "HERE/mirror.db" }, reads],
  [{ html: "new", write_open: "new" }, same],
  [{ html: "new", write_open: "sub/up/new" }, same],
  [{ html: "mirror.db", write_open: "sub/up/mirror.db" }, same],
  [{ html: "sub" }, "it is a folder: name a file in it"],
  [{ html: "pipe" }, noFile],
  [{ html: "null" }, noFile],
  [{ html: "stdout" }, noFile],
])("%j is rejected", async (given, reason) => {
  expect(await checked(given)).toMatchObject({ _tag: "Failure", failure: { reason } })
})

test.each([
  ["x", 210, ""],
  ["x", 196, ".manifest.json"],
  ["é", 210, ""],
  ["€", 210, ""],
])("a name of %j is accepted up to %i bytes before the ending %j", async (letter, most, beside) => {
  const bytes = Buffer.byteLength(letter)
  const nameOf = (length: number) => letter.repeat(Math.floor(length / bytes)) + "x".repeat(length % bytes)
  const check = (name: string) => result(OutputFiles.check({ html: join(folder, name) }, ["html"], { beside }))
  expect(await check(nameOf(most))).toMatchObject({ _tag: "Success" })
  for (const length of [most + 1, 256, 5000]) {
    expect(await check(nameOf(length))).toMatchObject({
      _tag: "Failure",
      failure: {
        reason: `the name has ${length} bytes, and the longest of --html in this folder has ${most}, because the files beside it have longer names: choose a shorter one`,
      },
    })
  }
  expect(await readdir(folder)).not.toContain(expect.stringMatching(/writing$/))
})

test.each([
  {},
  { html: "new" },
  { html: "mirror.db" },
  { html: "new", write_open: "other" },
  { html: "new", ledger: "new" },
  { html: "away/new", write_open: "other", from: "postgres://127.0.0.1/transfers" },
])("%j is accepted", async (given) => {
  expect(await checked(given)).toMatchObject({ _tag: "Success" })
})
