/** Text files and names of files, with errors that name the file. */
import { createReadStream, fstatSync, type Stats } from "node:fs"
import { stat } from "node:fs/promises"
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { FileError, reasonOf } from "../FileError.ts"

/** The largest text that is read, in bytes: a manifest has about 1 kB, a proposal as well, a transfer of a watch 200. */
export const maxBytes = 64 * 1024 * 1024

const limit = `the limit is ${maxBytes >> 20} MiB`

/** The reason to reject a text of which more than {@link maxBytes} came. */
export const tooLong = `it is too large: it has more than ${maxBytes} bytes, and ${limit}`

/**
 * All of a file, as UTF-8 text without its byte order mark. Fails if it is not UTF-8, or larger than {@link maxBytes}, also
 * if it is a pipe or a device, and if `faultOf` has a reason to reject what the file is.
 */
export const read = (
  path: string,
  faultOf: (info: Stats) => string | undefined = () => undefined,
): Effect.Effect<string, FileError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const info = await stat(path)
      const fault = faultOf(info)
      if (fault !== undefined) throw new Error(fault)
      if (info.isFile() && info.size > maxBytes)
        throw new Error(`it is too large: it has ${info.size} bytes, and ${limit}`)
      const parts = ByteParts.make(maxBytes)
      // The file that was opened may be another one by now.
      const chunks = createReadStream(path, { signal }).once("open", (opened: number) => {
        const reason = faultOf(fstatSync(opened))
        if (reason !== undefined) chunks.destroy(new Error(reason))
      })
      // A file may grow, and a pipe, a device or a file of the system has no size.
      for await (const part of chunks) {
        if (!parts.add(part)) throw new Error(tooLong)
      }
      return Result.getOrThrowWith(Utf8.decode(parts.whole()), (reason) => new Error(reason))
    },
    catch: (error) => new FileError({ path, reason: reasonOf(error) }),
  })

/** Whether a file or folder exists. */
export const exists = (path: string) =>
  FileSystem.FileSystem.use((files) => Effect.orElseSucceed(files.exists(path), () => false))

/** Whether a folder exists. */
export const isFolder = (path: string) =>
  FileSystem.FileSystem.use((files) =>
    files.stat(path).pipe(
      Effect.map(({ type }) => type === "Directory"),
      Effect.orElseSucceed(() => false),
    ),
  )
