import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Checkpoint from "../src/Checkpoint.ts"

const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`

test.each([
  ["a text that is not JSON", "{", "it is not JSON: "],
  ["another format", '{"version":1}', "it has format 1, and this version reads format 2"],
  ["a deep value", `{"version":${nested}}`, `the value at /version${"/0".repeat(32)} is more than 32 levels deep`],
  [
    "a deep unknown field",
    `{"version":2,"x":${nested}}`,
    `the value at /x${"/0".repeat(32)} is more than 32 levels deep`,
  ],
])("rejects %s, with a reason", (_, text, reason) => {
  expect(Checkpoint.fromJson(text)).toMatchObject({
    failure: { _tag: "InvalidCheckpoint", reason: expect.stringContaining(reason) },
  })
})

test("reads what JSON.stringify wrote", () => {
  const checkpoint = { version: 2, query: "CreatedAt(everything)", transfers: 3, remaining: [] } as const
  expect(Checkpoint.fromJson(JSON.stringify(checkpoint))).toEqual(Result.succeed(checkpoint))
})
