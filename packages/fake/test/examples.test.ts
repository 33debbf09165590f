/** Every export of the fake has an example, and each runs. */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll } from "vitest"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"
import { FakeServer, startFakeServer } from "../src/FakeServer.ts"
import type { Note } from "../src/Journal.ts"
import { Recorder } from "../src/Recorder.ts"

const folder = fs.mkdtempSync(join(tmpdir(), "examples-"))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const headers = { authorization: `Basic ${btoa("demo:demo-secret")}` }
const note: Note = {
  id: "r1",
  at: 0,
  method: "GET",
  target: "/v1/capabilities",
  partner: "demo",
  status: 200,
  durationMs: 1,
  bytes: 512,
  faults: [],
  end_cursor: undefined,
  problems: [],
}

await holdTheExamplesOf(join(import.meta.dirname, "../src"), {
  least: 60,
  ofEveryExport: "all",
  scope: { Effect, FakeServer, Layer, Recorder, folder, fs, headers, note, startFakeServer },
})
