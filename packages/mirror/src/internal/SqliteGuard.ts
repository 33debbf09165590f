/** What a statement of a user may do in SQLite: read. A file that is opened for reading still lets it write others. */
import { constants, type DatabaseSync } from "node:sqlite"

const allowed = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_RECURSIVE])

/** Pragmas that only show something. */
const pragmas = new Set(["table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo"])

const verdict = (action: number, first: string | null, second: string | null): number => {
  if (allowed.has(action)) return constants.SQLITE_OK
  if (action === constants.SQLITE_FUNCTION) {
    return second === "load_extension" ? constants.SQLITE_DENY : constants.SQLITE_OK
  }
  if (action === constants.SQLITE_PRAGMA) {
    return pragmas.has(first ?? "") ? constants.SQLITE_OK : constants.SQLITE_DENY
  }
  return constants.SQLITE_DENY
}

/** Runs a statement that may only read. */
export const reading = <A>(db: DatabaseSync, run: () => A): A => {
  // Node has it since 24.10.
  if (typeof Reflect.get(db, "setAuthorizer") !== "function") {
    throw new Error(
      `a query of a SQLite file needs Node 24.10 or later, which can keep it from writing; this is ${process.version}`,
    )
  }
  db.setAuthorizer(verdict)
  try {
    return run()
  } finally {
    db.setAuthorizer(null)
  }
}
