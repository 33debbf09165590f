/** The error of everything that reads or writes files. */
import * as Data from "effect/Data"

/** A file cannot be read or written as asked. */
export class FileError extends Data.TaggedError("FileError")<{ readonly path: string; readonly reason: string }> {
  override get message(): string {
    return `${this.path}: ${this.reason}`
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EFBIG: "it is larger than a file may be here",
  EISDIR: "it is a folder",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is not a folder",
  EROFS: "the file system is read-only",
}

/** The reason of a file system error, in words. */
export const reasonOf = (error: unknown): string => {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}
