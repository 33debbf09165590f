/** Whether a file beside a SQLite database is one that SQLite has made. It would take any other for its own, and remove it. */
import { closeSync, constants, existsSync, openSync, readSync } from "node:fs"

/** Where SQLite keeps what is not yet in a database: the ends of the names of the files beside it. */
export const endings = ["-journal", "-wal", "-shm"] as const

/** How the files begin that SQLite reads again. */
const beginnings = {
  "-journal": ["d9d505f920a163d7"],
  "-wal": ["377f0682", "377f0683"],
} as const

/** Whether a file with content is another's. One that cannot be read, SQLite cannot open either. */
export const isForeign = (database: string, ending: (typeof endings)[number], size: bigint): boolean => {
  if (size === 0n) return false
  // It is never opened here: to close it would drop the locks that SQLite has on it in this process.
  if (ending === "-shm") return size !== 3n && size % 4096n !== 0n
  const start = startOf(`${database}${ending}`)
  if (start === undefined || beginnings[ending].some((beginning) => start.startsWith(beginning))) return false
  // A journal that is not synced yet or is finished, and a log after a loss of power, have zeros there.
  return !(/^0*$/.test(start) && existsSync(database))
}

const startOf = (path: string): string | undefined => {
  const start = Buffer.alloc(8)
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      return start.toString("hex", 0, readSync(file, start))
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
