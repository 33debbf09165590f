/**
 * A SQLite file that is read without locks, because its reader can make no files beside it. SQLite takes it for one that
 * never changes: once a writer has changed it, what SQLite has read before and what it reads now do not fit together.
 */
import { existsSync, statSync } from "node:fs"

/** Runs what reads the file, and throws if the file is not as it was when it was opened. */
export type Reading = <A>(read: () => A) => A

/** The file as it is now. Call it before SQLite opens the file. */
export const reading = (file: string): Reading => {
  const before = stateOf(file)
  const check = () => {
    if (before === undefined || stateOf(file) !== before) throw new Error(reason)
  }
  return (read) => {
    check()
    try {
      return read()
    } finally {
      // What failed meanwhile may look like a damaged file.
      check()
    }
  }
}

const reason =
  "the file was changed or replaced since it was opened, and nothing can be read from it without the two files that SQLite needs beside it. Open it again, once no sync runs; to read it during a sync, copy it, or read as a user who can write to its folder"

const stateOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  if (found === undefined || existsSync(`${file}-wal`) || existsSync(`${file}-journal`)) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs } = found
  return [dev, ino, size, mtimeNs, ctimeNs].join("/")
}
