/** Transfers from a file: a JSON array, or one JSON object a line. */
import * as fs from "node:fs/promises"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The file cannot be read as transfers. */
export class UnreadableData extends Data.TaggedError("UnreadableData")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot read transfers from ${this.path}: ${this.reason}.`
  }
}

/** The values of a file, in order. */
export const read = Effect.fn("DataFile.read")(function* (path: string) {
  const fail = (reason: string) => new UnreadableData({ path, reason })
  const text = yield* Effect.tryPromise({
    try: () => fs.readFile(path, "utf8"),
    catch: (error) => fail(error instanceof Error ? error.message : String(error)),
  })
  const lines = text.trimStart().startsWith("[") ? [text] : text.split("\n").filter((line) => line.trim() !== "")
  const values: Array<unknown> = []
  for (const [index, line] of lines.entries()) {
    const value: unknown = yield* Effect.try({
      try: () => JSON.parse(line),
      catch: () => fail(`line ${index + 1} is not JSON`),
    })
    if (Array.isArray(value)) values.push(...value)
    else values.push(value)
  }
  return values
})
