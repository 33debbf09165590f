/** The error of everything that reads or writes files. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** A file cannot be read or written as asked. */
export class FileError extends Data.TaggedError("FileError")<{ readonly path: string; readonly reason: string }> {
  constructor({ path, reason }: { readonly path: string; readonly reason: string }) {
    super({ path: withoutAddress(path), reason: withoutAddress(reason) })
  }

  override get message(): string {
    return `${this.path}: ${this.reason}`
  }
}

/** A text whose addresses of databases, which were given for a path, are cut: they may hold a password. */
const withoutAddress = (text: string): string => text.replace(/postgres(?:ql)?:\/+\S*/gi, "postgres://…")

/** Turns any error of work on a file into a {@link FileError}. */
export const mapTo =
  (path: string) =>
  <A, R>(effect: Effect.Effect<A, unknown, R>): Effect.Effect<A, FileError, R> =>
    Effect.mapError(effect, (error) => new FileError({ path, reason: reasonOf(error) }))

/** Runs asynchronous work on a file. Whatever it throws becomes a {@link FileError}. */
export const tryPromise = <A>(path: string, body: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, FileError> =>
  Effect.tryPromise({ try: body, catch: (error) => new FileError({ path, reason: reasonOf(error) }) })

/** Runs what throws a {@link FileError}. Anything else that it throws is a defect. */
export const attempt = <A>(body: () => A): Effect.Effect<A, FileError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(body())
    } catch (error) {
      return error instanceof FileError ? Effect.fail(error) : Effect.die(error)
    }
  })

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "it already exists",
  EFBIG: "the file is too large",
  EISDIR: "it is a folder",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is not a folder",
  EROFS: "the file system is read-only",
}

/** The reason of a file system error, in words. */
export const reasonOf = (error: unknown): string => {
  const origin = originOf(error)
  return reasons[codeOf(origin)] ?? (origin instanceof Error ? origin.message : String(origin))
}

/** The same for a file that was to be made: what is missing then is its folder. */
export const reasonToMake = (error: unknown, folder: string): string =>
  codeOf(originOf(error)) === "ENOENT"
    ? `the folder ${folder} does not exist. Create it, or choose another`
    : reasonOf(error)

const originOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
