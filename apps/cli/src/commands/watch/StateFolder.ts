/** The folder of `--state`, which holds the mirror of a watch. */
import * as FileErrors from "@transferkit/files/FileError"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as TextFile from "@transferkit/files/node/TextFile"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"

/** The mirror of a watch: any amount is worth a report, and none is added. Without a folder it ends with this process. */
export const layer = (path: string | undefined) =>
  Layer.unwrap(
    Effect.map(path === undefined ? temporary : hold(path), (folder) =>
      TransferMirror.layer(`sqlite:${folder}/transfers.db`, { sums: false }),
    ),
  )

const temporary = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return yield* FileErrors.mapTo("a temporary folder")(files.makeTempDirectoryScoped({ prefix: "transfers-watch-" }))
})

/** Only for its owner: it has a partner's transfers. */
const mode = 0o700

/** Holds the folder of a path for this process, and creates it. */
const hold = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  yield* FileLock.hold(path)
  if (yield* TextFile.isFolder(path)) return path
  if (yield* TextFile.exists(path)) {
    return yield* new FileErrors.FileError({ path, reason: "--state names a folder, and this is a file" })
  }
  yield* FileErrors.mapTo(path)(files.makeDirectory(path, { mode }))
  return path
})
