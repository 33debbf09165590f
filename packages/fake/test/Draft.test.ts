/** A recording in the making, while it is searched. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Draft from "../src/internal/recording/Draft.ts"

let folder: string
let out: string
let draft: Draft.Draft

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "draft-"))
  out = path.join(folder, "recording.ndjson")
  draft = Draft.open(out)
})

afterEach(() => fs.rm(folder, { recursive: true }))

/** How often others have their turn while something is awaited. */
const turnsDuring = async <A>(awaited: Promise<A>): Promise<readonly [A, number]> => {
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const result = await awaited
  clearInterval(counting)
  return [result, turns]
}

const record = (count: number) => {
  for (let line = 0; line < count; line++) draft.record({ body: "abcdefgh ".repeat(50_000) })
}

test("signals and other requests have their turn between the lines of a search", async () => {
  record(20)
  const [learned, turns] = await turnsDuring(draft.learn(["a-secret-4711"]))
  expect(learned).toBe("none")
  expect(turns).toBeGreaterThan(10)
  await draft.learn(["a-secret-4712"])
  // So soon after two searches, this one is left to the end.
  expect(await turnsDuring(draft.learn(["a-secret-4713"]))).toEqual(["none", 0])
  const [finished, turnsAtEnd] = await turnsDuring(draft.finish())
  expect(finished).toBe("none")
  expect(turnsAtEnd).toBeGreaterThan(10)
  draft.close()
})

test("finds at its end what a search under way has not found yet", async () => {
  record(5)
  draft.record({ body: "see key-of-tomorrow" })
  const learned = draft.learn(["key-of-tomorrow"])
  expect(await draft.finish()).toBe("found")
  expect(await learned).toBe("none")
  draft.close()
})

test("nothing is learned or recorded once it ends", async () => {
  record(2)
  const written = await fs.readFile(Draft.pathOf(out), "utf8")
  const finished = draft.finish()
  draft.record({ body: "late" })
  expect(await draft.learn(["abcdefgh"])).toBe("none")
  expect(await finished).toBe("none")
  draft.close()
  expect(await draft.learn(["abcdefgh"])).toBe("none")
  expect(await fs.readFile(Draft.pathOf(out), "utf8")).toBe(written)
})
