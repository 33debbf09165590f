/**
 * A file that appears under its name only when it is complete: written beside it, flushed, then renamed. The name beside
 * it is random and opened exclusively, so that neither a planted link nor another process decides what is written where.
 * It may be read by its owner only, because most of what is written says who paid whom.
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as FileError from "../FileError.ts"

/** Appends to the file. */
export type Append = (data: string | Uint8Array) => Effect.Effect<void, FileError.FileError>

/**
 * Fails if a name is that of a device, a pipe or a socket, or of a link to an open file, as /dev/stdout is: the system needs
 * it.
 */
export const replaceable = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const target = yield* Effect.orElseSucceed(files.readLink(path), () => "")
  const info = yield* Effect.option(files.stat(path))
  const isOther = Option.isSome(info) && info.value.type !== "File" && info.value.type !== "Directory"
  if (!isOther && !/^(?:\/proc\/|\/dev\/|fd\/)/.test(target)) return
  return yield* new FileError.FileError({ path, reason: "it is a device, a pipe or a socket: name a file" })
})

/** The file beside it, which {@link write} renames. */
const begin = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const { dirname } = yield* Path.Path
  yield* replaceable(path)
  const partial = `${path}${suffix()}`
  const file = yield* Effect.mapError(
    files.open(partial, { flag: "wx", mode: 0o600 }),
    (error) => new FileError.FileError({ path, reason: FileError.reasonToMake(error, dirname(path)) }),
  )
  return { file, partial }
})

/** Fails if the file cannot be made: for a command that works for long before it has something to write. */
export const check = (path: string) =>
  Effect.scoped(
    Effect.flatMap(begin(path), ({ partial }) =>
      Effect.flatMap(FileSystem.FileSystem, (files) => FileError.mapTo(path)(files.remove(partial))),
    ),
  )

/** How a file is put in place. */
export interface WriteOptions {
  /**
   * An existing file is replaced. Otherwise one that appears meanwhile is an error.
   * @default true
   */
  readonly replaces?: boolean
}

/** Writes a file with `use`. If it fails or is interrupted, nothing has changed. */
export const write = <A, E, R>(
  path: string,
  use: (append: Append) => Effect.Effect<A, E, R>,
  { replaces = true }: WriteOptions = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const { dirname } = yield* Path.Path
      const attempt = FileError.mapTo(path)
      const { file, partial } = yield* begin(path)
      yield* Effect.addFinalizer((exit) =>
        Exit.isSuccess(exit) ? Effect.void : Effect.ignore(files.remove(partial, { force: true })),
      )
      const result = yield* use((data) =>
        attempt(file.writeAll(typeof data === "string" ? encoder.encode(data) : data)),
      )
      yield* attempt(file.sync)
      yield* replaces ? attempt(files.rename(partial, path)) : appear(partial, path)
      // The rename survives a power cut only if the folder is flushed too, which not every platform can.
      yield* Effect.ignore(Effect.flatMap(files.open(dirname(path), { flag: "r" }), (folder) => folder.sync))
      return result
    }),
  )

/** Puts a file in place, unless there is one. A file system without links has a gap between the two. */
const appear = Effect.fnUntraced(function* (partial: string, path: string) {
  const files = yield* FileSystem.FileSystem
  const linked = yield* Effect.isSuccess(files.link(partial, path))
  if (!linked && (yield* Effect.orElseSucceed(files.exists(path), () => true))) {
    const reason = "it appeared in the meantime, and is not replaced: move it away, or name another file"
    return yield* new FileError.FileError({ path, reason })
  }
  yield* FileError.mapTo(path)(linked ? files.remove(partial) : files.rename(partial, path))
})

/**
 * Removes what killed processes left of a file that they were writing. Only for a process that holds the file's lock:
 * another one may be at work otherwise.
 */
export const removeLeftovers = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const { basename, dirname, join } = yield* Path.Path
  const [folder, start] = [dirname(path), `${basename(path)}.`]
  const names = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
  const leftovers = names.filter((name) => name.startsWith(start) && isSuffix.test(name.slice(start.length)))
  yield* Effect.forEach(leftovers, (name) => Effect.ignore(files.remove(join(folder, name))), { discard: true })
})

/** What follows the name of a file that is not complete, always of the same length. */
export const suffix = (): string => `.${randomUUID()}.writing`

const isSuffix = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.writing$/

const encoder = new TextEncoder()

/** Writes a whole text, and replaces an earlier one of its kind, see {@link spare}. */
export const writeText = (path: string, text: string) =>
  Effect.andThen(
    spare(path, beginningOf(text)),
    write(path, (append) => append(text)),
  )

/** What files of a kind begin with, without blanks: the first name of an object, the first word of a page, or a sign. */
const beginningOf = (text: string): string => {
  const start = text.slice(0, longest)
  const [page] = /^<[!?]?\w*/.exec(start) ?? []
  const [object] = /^\{"\w+"/.exec(withoutBlanks(start)) ?? []
  return page ?? object ?? text.slice(0, 1)
}

/** Where the beginning of a file ends. */
const longest = 256

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "")

/**
 * Fails if a file begins otherwise, blanks aside, or is no file: it is none of those that this command writes, but
 * perhaps the ledger that it reads.
 */
export const spare = Effect.fnUntraced(function* (path: string, begins: string) {
  const files = yield* FileSystem.FileSystem
  yield* replaceable(path)
  // What a link points to is not replaced.
  if (yield* Effect.isSuccess(files.readLink(path))) return
  const info = yield* Effect.option(files.stat(path))
  if (Option.isNone(info)) return
  if (info.value.type === "Directory") {
    return yield* new FileError.FileError({ path, reason: "it is a folder: name a file in it" })
  }
  const first = yield* FileError.mapTo(path)(
    Effect.scoped(Effect.flatMap(files.open(path, { flag: "r" }), (file) => file.readAlloc(longest))),
  )
  if (Option.isNone(first) || withoutBlanks(new TextDecoder().decode(first.value)).startsWith(begins)) return
  const reason = "another kind of file has this name, and would be lost: choose another name, or remove it first"
  return yield* new FileError.FileError({ path, reason })
})
