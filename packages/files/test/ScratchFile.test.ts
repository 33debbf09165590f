import { readdirSync, readlinkSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { FileError } from "../src/FileError.ts"
import * as ScratchFile from "../src/node/ScratchFile.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-scratch-"))
  vi.stubEnv("TMPDIR", folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const use = <A>(body: (scratch: Effect.Success<typeof ScratchFile.make>) => A): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.map(ScratchFile.make, body)))

test("reads back what was appended", async () => {
  const texts = await use((scratch) => {
    const places = ["one", "", "zwei \u00e4", "x".repeat(300_000)].map((text) => scratch.append(Buffer.from(text)))
    return places.toReversed().map((place) => scratch.read(place).toString("utf8"))
  })
  expect(texts).toEqual(["x".repeat(300_000), "zwei \u00e4", "", "one"])
})

test("leaves nothing to find, even while it is open, so that a killed process leaves nothing", async () => {
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const scratch = yield* ScratchFile.make
        scratch.append(Buffer.from("text"))
        expect(yield* Effect.promise(() => readdir(folder))).toEqual([])
      }),
    ),
  )
})

test("makes no file until something is appended", async () => {
  vi.stubEnv("TMPDIR", join(folder, "missing"))
  await use((scratch) => expect(scratch.seed).toBeGreaterThanOrEqual(0))
  await expect(use((scratch) => scratch.append(Buffer.from("text")))).rejects.toThrow(FileError)
  await expect(use((scratch) => scratch.append(Buffer.from("text")))).rejects.toThrow(
    `${join(folder, "missing")}: no such file or folder. Rows that do not fit in memory are kept there: name another folder with TMPDIR`,
  )
})

test.runIf(process.platform === "linux")("closes its file with its scope", async () => {
  const open = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
      } catch {
        return false
      }
    }).length
  const during = await use((scratch) => {
    scratch.append(Buffer.from("text"))
    return open()
  })
  expect([during, open()]).toEqual([1, 0])
})
