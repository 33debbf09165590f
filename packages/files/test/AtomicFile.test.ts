import { execFileSync } from "node:child_process"
import { lstatSync, symlinkSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { beforeEach, expect, test } from "vitest"
import * as AtomicFile from "../src/node/AtomicFile.ts"

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atomic-file-"))
  path = join(folder, "file")
  return () => rm(folder, { recursive: true })
})

const run = <A, E>(effect: Effect.Effect<A, E, NodeServices.NodeServices>) =>
  Effect.runPromise(Effect.provide(effect, NodeServices.layer))

test("replaces a link under its name, and leaves what it points to alone", async () => {
  const target = join(folder, "target")
  await writeFile(target, "kept")
  await symlink(target, path)
  await run(AtomicFile.writeText(path, "new"))
  expect([await readFile(path, "utf8"), await readFile(target, "utf8")]).toEqual(["new", "kept"])
})

test("replaces an earlier text of its kind, or an empty file, and nothing else", async () => {
  for (const before of ["<p>old", ""]) {
    await writeFile(path, before)
    await run(AtomicFile.writeText(path, "<p>new"))
    expect(await readFile(path, "utf8")).toBe("<p>new")
  }
  await writeFile(path, "date,amount\n")
  const written = await run(Effect.result(AtomicFile.writeText(path, "<p>page")))
  expect(written).toMatchObject({
    _tag: "Failure",
    failure: { path, reason: expect.stringContaining("would be lost") },
  })
  expect(await readFile(path, "utf8")).toBe("date,amount\n")
})

const accepted = '{\n  "accepted_breaks": 1, "breaks": []\n}\n'
test.each([
  ['{"open_items":1}', accepted],
  ['{ "id" : "tr_1" }', accepted],
  ["{", accepted],
  ["[]", accepted],
  ['<?xml version="1.0"?>', "<!doctype html>"],
])("does not replace %j by a file of another first word", async (before, text) => {
  await writeFile(path, before)
  const written = await run(Effect.result(AtomicFile.writeText(path, text)))
  expect(written).toMatchObject({ _tag: "Failure", failure: { reason: expect.stringContaining("would be lost") } })
  expect(await readFile(path, "utf8")).toBe(before)
  await writeFile(path, text.replaceAll(/(?<=[{}>])\s*/g, "\n\n"))
  await run(AtomicFile.writeText(path, text))
  expect(await readFile(path, "utf8")).toBe(text)
})

test("a folder in its place is named as such", async () => {
  await mkdir(path)
  const written = await run(Effect.result(AtomicFile.writeText(path, "new")))
  expect(written).toMatchObject({ _tag: "Failure", failure: { path, reason: "it is a folder: name a file in it" } })
})

test.each([
  ["a pipe", () => execFileSync("mkfifo", [path])],
  ["a link to a device", () => symlinkSync("/dev/null", path)],
  ["a link to standard output", () => symlinkSync("/proc/self/fd/1", path)],
])("%s stays, because a file would take its place", async (_, make) => {
  make()
  const before = lstatSync(path)
  for (const effect of [AtomicFile.writeText(path, "new"), AtomicFile.check(path)]) {
    const failure = { path, reason: "it is a device, a pipe or a socket: name a file" }
    expect(await run(Effect.result(effect))).toMatchObject({ _tag: "Failure", failure })
  }
  expect(lstatSync(path).ino).toBe(before.ino)
  expect(await readdir(folder)).toEqual(["file"])
})

test.each(["with links", "without links"])("a file that appears while another is written stays, %s", async (links) => {
  const files = Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (own) => ({
      ...own,
      link: (from: string, to: string) => (links === "with links" ? own.link(from, to) : own.stat(`${from}/none`)),
    })),
  )
  const write = (appears: boolean) =>
    AtomicFile.write(
      path,
      (append) =>
        Effect.andThen(
          append("ours"),
          Effect.promise(async () => (appears ? writeFile(path, "theirs") : undefined)),
        ),
      { replaces: false },
    ).pipe(Effect.provide(files), Effect.result)
  expect(await run(write(true))).toMatchObject({
    _tag: "Failure",
    failure: { path, reason: "it appeared in the meantime, and is not replaced: move it away, or name another file" },
  })
  expect([await readdir(folder), await readFile(path, "utf8")]).toEqual([["file"], "theirs"])
  await rm(path)
  expect(await run(write(false))).toMatchObject({ _tag: "Success" })
  expect([await readdir(folder), await readFile(path, "utf8")]).toEqual([["file"], "ours"])
})

test("does not follow a link that appears under the name it writes to", async () => {
  const target = join(folder, "target")
  await writeFile(target, "kept")
  const planting = Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (files) => ({
      ...files,
      open: (name: string, options?: Parameters<typeof files.open>[1]) =>
        Effect.andThen(Effect.ignore(files.symlink(target, name)), files.open(name, options)),
    })),
  )
  const written = await run(Effect.result(Effect.provide(AtomicFile.writeText(path, "new"), planting)))
  expect(written).toMatchObject({ _tag: "Failure", failure: { path, reason: "it already exists" } })
  expect(await readFile(target, "utf8")).toBe("kept")
})

test("may be read by its owner only, from the start, whatever was left under the name", async () => {
  for (const name of [path, `${path}.writing`]) {
    await writeFile(name, "old")
    await chmod(name, 0o666)
  }
  let before = 0
  await run(
    AtomicFile.write(
      path,
      Effect.fnUntraced(function* () {
        const partial = (yield* Effect.promise(() => readdir(folder))).find((name) =>
          /^file\..{36}\.writing$/.test(name),
        )
        before = (yield* Effect.promise(() => stat(join(folder, partial ?? "none")))).mode & 0o777
      }),
    ),
  )
  expect([before, (await stat(path)).mode & 0o777]).toEqual([0o600, 0o600])
})

test("what a killed process left of it is removed, and nothing else", async () => {
  const others = ["file.writing", "file.json.19a6c4eb-20fe-47a6-af76-001c06e2a2db.writing", "file.x.writing"]
  const leftover = "file.19a6c4eb-20fe-47a6-af76-001c06e2a2db.writing"
  await Promise.all([leftover, ...others].map((name) => writeFile(join(folder, name), "")))
  await run(AtomicFile.removeLeftovers(path))
  expect((await readdir(folder)).toSorted()).toEqual(others.toSorted())
})

test("of several writers each succeeds, and the file is that of one of them", async () => {
  const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000))
  await run(Effect.forEach(texts, (text) => AtomicFile.writeText(path, text), { concurrency: "unbounded" }))
  expect(texts).toContain(await readFile(path, "utf8"))
  expect(await readdir(folder)).toEqual(["file"])
})

test("says which folder is missing, and what to do", async () => {
  const missing = join(folder, "2024", "file")
  const written = await run(Effect.result(AtomicFile.writeText(missing, "new")))
  const reason = `the folder ${join(folder, "2024")} does not exist. Create it, or choose another`
  const checked = await run(Effect.result(AtomicFile.check(missing)))
  for (const result of [written, checked]) {
    expect(result).toMatchObject({ _tag: "Failure", failure: { path: missing, reason } })
  }
})

test("a check leaves no file, and a file that is there as it was", async () => {
  await run(AtomicFile.check(path))
  expect(await readdir(folder)).toEqual([])
  await writeFile(path, "kept")
  await run(AtomicFile.check(path))
  expect([await readdir(folder), await readFile(path, "utf8")]).toEqual([["file"], "kept"])
})
