/** Text files and names of files, with errors that name the file. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as FileError from "../FileError.ts"

/** All of a file, as UTF-8 text. */
export const read = (path: string) =>
  FileSystem.FileSystem.use((files) => FileError.mapTo(path)(files.readFileString(path)))

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
