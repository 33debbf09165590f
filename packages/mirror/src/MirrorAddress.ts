/** Where a mirror is: a SQLite file or a PostgreSQL database. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { MirrorError } from "./MirrorError.ts"

/** See {@link parse}. `text` is the address without a password. */
export type MirrorAddress =
  | { readonly _tag: "Sqlite"; readonly file: string; readonly text: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted; readonly text: string }

/**
 * Reads `sqlite:FILE`, the path of a file that ends in `.db` or `.sqlite`, `postgres://…` or `postgresql://…`.
 *
 * @example
 * Result.map(MirrorAddress.parse("transfers.db"), ({ text }) => text) // => Result.succeed("sqlite:transfers.db")
 * Result.map(MirrorAddress.parse("postgres://me:secret@db.example/transfers"), ({ text }) => text) // => Result.succeed("postgres://me@db.example/transfers")
 * Result.isFailure(MirrorAddress.parse("mysql://db.example")) // => true
 */
export const parse = (text: string): Result.Result<MirrorAddress, MirrorError> => {
  if (/^postgres(ql)?:\/\//.test(text)) {
    const url = URL.parse(text)
    if (url === null) return reject("postgres://…", "it is not a URL")
    const shown = new URL(text)
    shown.password = ""
    shown.search = ""
    return Result.succeed({ _tag: "Postgres", url: Redacted.make(text), text: shown.href })
  }
  const file = text.startsWith("sqlite:") ? text.slice("sqlite:".length) : /\.(db|sqlite3?)$/.test(text) ? text : ""
  if (file !== "") return Result.succeed({ _tag: "Sqlite", file, text: `sqlite:${file}` })
  // What is not understood may hold a password.
  const shown = text.includes("@") ? "the address" : JSON.stringify(text)
  return reject(shown, "write sqlite:FILE, a path that ends in .db, or postgres://USER@HOST/DATABASE")
}

const reject = (mirror: string, reason: string) => Result.fail(new MirrorError({ kind: "usage", mirror, reason }))
