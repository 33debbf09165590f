/** Text files, with errors that name the file. */
import * as Files from "node:fs/promises"
import * as Effect from "effect/Effect"
import { FileError, reasonOf } from "../FileError.ts"

/** All of a file, as UTF-8 text. */
export const readText = (path: string): Effect.Effect<string, FileError> =>
  Effect.tryPromise({
    try: () => Files.readFile(path, "utf8"),
    catch: (error) => new FileError({ path, reason: reasonOf(error) }),
  })
