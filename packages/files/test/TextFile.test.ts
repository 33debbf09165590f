import { execFile, execFileSync } from "node:child_process"
import { renameSync, type Stats } from "node:fs"
import { appendFile, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { beforeEach, expect, test } from "vitest"
import * as TextFile from "../src/node/TextFile.ts"

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-text-"))
  path = join(folder, "text")
  return () => rm(folder, { recursive: true })
})

/** Zeros that take no room on the disk. */
const sparse = async (bytes: number) => {
  const file = await open(path, "w")
  await file.truncate(bytes)
  await file.close()
}

const reasonOf = (file: string) =>
  Effect.runPromise(Effect.map(Effect.flip(TextFile.read(file)), ({ message }) => message))

test("reads a file of the largest size, and names the size and the limit of a larger one", async () => {
  await sparse(TextFile.maxBytes)
  expect((await Effect.runPromise(TextFile.read(path))).length).toBe(TextFile.maxBytes)
  await appendFile(path, "x")
  expect(await reasonOf(path)).toBe(`${path}: it is too large: it has 67108865 bytes, and the limit is 64 MiB`)
})

test("reads a character that lies across two chunks", async () => {
  const text = `x${"€".repeat(100_000)}`
  await writeFile(path, text)
  expect(await Effect.runPromise(TextFile.read(path))).toBe(text)
})

test("leaves out a byte order mark, which is no part of the text", async () => {
  await writeFile(path, "\ufeff{}\ufeff")
  expect(await Effect.runPromise(TextFile.read(path))).toBe("{}\ufeff")
})

test("checks the file that it opens, also if it is another than the name led to before", async () => {
  const other = join(folder, "other")
  await writeFile(path, "mine")
  await writeFile(other, "theirs")
  const { ino } = await stat(path)
  const faultOf = (info: Stats): string | undefined => {
    if (info.ino !== ino) return "it is another file"
    renameSync(other, path)
    return undefined
  }
  const error = await Effect.runPromise(Effect.flip(TextFile.read(path, faultOf)))
  expect(error.message).toBe(`${path}: it is another file`)
})

test("reads a pipe to its end, and rejects a device without one", async () => {
  execFileSync("mkfifo", [path])
  execFile("sh", ["-c", `printf secret > "$1"`, "sh", path])
  expect(await Effect.runPromise(TextFile.read(path))).toBe("secret")
  expect(await reasonOf("/dev/zero")).toBe(
    "/dev/zero: it is too large: it has more than 67108864 bytes, and the limit is 64 MiB",
  )
})

test.each([
  ["is missing", "missing", "no such file or folder"],
  ["is a folder", ".", "it is a folder"],
])("names a file that %s", async (_, name, reason) => {
  expect(await reasonOf(join(folder, name))).toBe(`${join(folder, name)}: ${reason}`)
})

test("says whether a file or a folder is there, whatever its name", async () => {
  await writeFile(path, "")
  const found = (name: string) =>
    Effect.runPromise(Effect.provide(Effect.all([TextFile.exists(name), TextFile.isFolder(name)]), NodeServices.layer))
  expect(await found(path)).toEqual([true, false])
  expect(await found(folder)).toEqual([true, true])
  for (const none of ["missing", "text/below", "\0", "x".repeat(5000)]) {
    expect(await found(join(folder, none))).toEqual([false, false])
  }
})
