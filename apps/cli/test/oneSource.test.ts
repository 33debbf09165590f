/** One place interprets `--from`: every command takes its transfers from the source that the layers provide. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const folder = join(import.meta.dirname, "../src")

const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(join(folder, file), "utf8") }))

const filesWith = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => (pattern.test(text) ? [file] : [])).toSorted()

test("one module says whether --from names a file or a mirror, and one reads the mirror's address", () => {
  expect(filesWith(/TransferFormat\.ofName\(/)).toEqual(["Layers.ts"])
  expect(filesWith(/\bisAddress\(/)).toEqual(["mirror/MirrorSource.ts"])
})

test("besides them --from is only repeated on a page, examined, or rejected where it has no meaning", () => {
  const reads = /\{[^{}]*\bfrom\b[^{}]*\} = yield\* Globals|Globals\)\.from|Globals, \(\{[^}]*\bfrom\b/
  expect(filesWith(reads)).toEqual([
    "Layers.ts",
    "commands/certify/Run.ts",
    "commands/doctor/Run.ts",
    "commands/query/Run.ts",
    "commands/worker/Run.ts",
    "mirror/MirrorSource.ts",
    "source/GivenSource.ts",
  ])
})

test("no command opens a file or a mirror itself, but the one that verifies a file", () => {
  expect(filesWith(/FileTransferSource"/)).toEqual(["Layers.ts"])
  expect(filesWith(/MirrorTransferSource"/)).toEqual(["mirror/MirrorSource.ts"])
  expect(filesWith(/node\/TransferFile"/)).toEqual(["commands/verify/Run.ts"])
})
