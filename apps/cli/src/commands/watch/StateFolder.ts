/** The folder of `--state`, which holds the mirror of a watch. */
import * as FileErrors from "@transferkit/files/FileError"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as TextFile from "@transferkit/files/node/TextFile"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"

/** The mirror in a folder: any amount is worth a report, and none is added. */
export const mirrorIn = (folder: string) => TransferMirror.layer(`sqlite:${folder}/transfers.db`, { sums: false })

/** A folder for a watch that ends with this process. */
export const temporary = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return yield* FileErrors.mapTo("a temporary folder")(files.makeTempDirectoryScoped({ prefix: "transfers-watch-" }))
})

/** Only for its owner: it has a partner's transfers. */
const mode = 0o700

/**
 * Holds the folder of a path for this process, and creates it. If there is a file at the path, `takeOver` makes a folder
 * of it: under another name until it is complete, so that an interruption leaves the file or the folder.
 */
export const hold = Effect.fnUntraced(function* <E, R>(
  path: string,
  takeOver: (folder: string) => Effect.Effect<void, E, R>,
) {
  const files = yield* FileSystem.FileSystem
  const failing = FileErrors.mapTo(path)
  yield* FileLock.hold(path)
  if (yield* TextFile.isFolder(path)) return
  const next = `${path}.new`
  const replaced = `${next}/replaced.json`
  if (yield* TextFile.exists(path)) {
    const clear = failing(files.remove(next, { recursive: true, force: true }))
    yield* clear
    yield* failing(files.makeDirectory(next, { mode }))
    yield* Effect.onError(takeOver(next), () => Effect.ignore(clear))
    yield* failing(files.rename(path, replaced))
    return yield* failing(files.rename(next, path))
  }
  // Interrupted between the two.
  if (yield* TextFile.exists(replaced)) return yield* failing(files.rename(next, path))
  yield* failing(files.makeDirectory(path, { mode }))
})
