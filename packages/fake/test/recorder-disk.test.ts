/** A recorder on a disk that is full. */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { Recorder } from "@transferkit/fake/Recorder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, expect, test } from "vitest"

const { writeSync } = fs

const write = (by: typeof fs.writeSync): void => {
  fs.writeSync = by
  syncBuiltinESMExports()
}
afterEach(() => write(writeSync))

test("says at its start that the disk is full, and leaves no empty file", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fake-record-"))
  const out = path.join(folder, "recording")
  write(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
  })
  const recorder = Effect.scoped(Layer.build(Recorder.layer({ target: "http://127.0.0.1:1", out })))
  expect(await Effect.runPromise(Effect.flip(recorder))).toMatchObject({
    _tag: "UnwritableRecording",
    message: `Cannot record to ${out}: the disk is full.`,
  })
  expect(fs.readdirSync(folder)).toEqual([])
  fs.rmSync(folder, { recursive: true })
})
