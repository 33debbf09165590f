/** A file that appears under its name when it is complete, and not before: written beside it, flushed, then renamed. */
import { constants } from "node:fs"
import * as Files from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { FileError, reasonOf } from "../FileError.ts"

/** Appends to the file. */
export type Append = (data: string | Uint8Array) => Effect.Effect<void, FileError>

/** Writes a file with `use`, in the place of one that is there. If that fails or is interrupted, the name is as it was. */
export const write = <A, E, R>(
  path: string,
  use: (append: Append) => Effect.Effect<A, E, R>,
  options: { readonly mode: number } = { mode: 0o666 },
): Effect.Effect<A, E | FileError, R> => {
  const partial = `${path}.writing`
  return Effect.acquireUseRelease(
    attempt(path, () => Files.open(partial, "w", options.mode)),
    (handle) =>
      Effect.gen(function* () {
        const result = yield* use((data) => attempt(path, () => handle.appendFile(data)))
        yield* attempt(path, async () => {
          await handle.sync()
          await Files.rename(partial, path)
          await syncFolder(Path.dirname(path))
        })
        return result
      }),
    (handle, exit) =>
      Effect.promise(async () => {
        await handle.close()
        if (Exit.isFailure(exit)) await Files.rm(partial, { force: true })
      }),
  )
}

/** Writes a whole text. */
export const writeText = (path: string, text: string, options?: { readonly mode: number }) =>
  write(path, (append) => append(text), options)

/** Whether there is something of that name. */
export const exists = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    Files.access(path).then(
      () => true,
      () => false,
    ),
  )

/** Whether the name is that of a folder. */
export const isFolder = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    Files.stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ),
  )

/** A rename lasts through a power cut when the folder has been flushed too. Not every platform can. */
const syncFolder = async (path: string): Promise<void> => {
  try {
    const folder = await Files.open(path, constants.O_RDONLY)
    await folder.sync().finally(() => folder.close())
  } catch {
    // The file is complete and in its place either way.
  }
}

const attempt = <A>(path: string, body: () => Promise<A>): Effect.Effect<A, FileError> =>
  Effect.tryPromise({
    try: body,
    catch: (error) => new FileError({ path, reason: reasonOf(error) }),
  })
