/** A copy of a file that only its owner may read. */
import { createReadStream, createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import * as FileError from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"

/** Copies a file, also of a pipe, which `copyFile` takes for empty. */
export const make = (from: string, to: string): Effect.Effect<void, FileError.FileError> =>
  Effect.tryPromise({
    try: (signal) => pipeline(createReadStream(from, { signal }), createWriteStream(to, { mode: 0o600 })),
    catch: (error) => new FileError.FileError({ path: from, reason: FileError.reasonOf(error) }),
  })
