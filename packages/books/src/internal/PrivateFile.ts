/** Files that only their owner may read. */
import { createReadStream, createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as FileError from "@transferkit/files/FileError"
import type * as Effect from "effect/Effect"

const mode = 0o600

/** Writes a file of the parts of a text, which may be more than fit in memory. */
export const write = (path: string, parts: Iterable<string>): Effect.Effect<void, FileError.FileError> =>
  FileError.tryPromise(path, () => pipeline(Readable.from(parts), createWriteStream(path, { mode })))

/** Copies a file, also of a pipe, which `copyFile` takes for empty. */
export const copy = (from: string, to: string): Effect.Effect<void, FileError.FileError> =>
  FileError.tryPromise(from, (signal) => pipeline(createReadStream(from, { signal }), createWriteStream(to, { mode })))
