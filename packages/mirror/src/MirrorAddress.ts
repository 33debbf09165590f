/** Where a mirror is: a SQLite file or a PostgreSQL database. */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { MirrorError } from "./MirrorError.ts"

/** How a connection to PostgreSQL is encrypted. `ifOffered` takes what the server has. */
export type Encryption = "none" | "ifOffered" | "verified"

/** See {@link parse}. `text` is the address without a password. */
export type MirrorAddress =
  | { readonly _tag: "Sqlite"; readonly file: string; readonly text: string }
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted
      readonly text: string
      readonly encryption: Encryption
      /** The file of the certificates that vouch for the server's; those of the system otherwise. */
      readonly sslrootcert: string | undefined
      /** Whether statements are prepared by name, which some poolers do not support. */
      readonly prepare: boolean
    }

/**
 * Reads `sqlite:FILE`, the path of a file that ends in `.db` or `.sqlite`, `postgres://…` or `postgresql://…`. A database
 * on another machine is spoken to by TLS, and its certificate is verified, unless the address has `sslmode=disable`.
 *
 * @example
 * Result.map(MirrorAddress.parse("transfers.db"), ({ text }) => text) // => Result.succeed("sqlite:transfers.db")
 * Result.map(MirrorAddress.parse("postgres://me:secret@db.example/transfers"), ({ text }) => text) // => Result.succeed("postgres://me@db.example/transfers")
 * Result.isFailure(MirrorAddress.parse("mysql://db.example")) // => true
 */
export const parse = (text: string): Result.Result<MirrorAddress, MirrorError> => {
  if (/^postgres(ql)?:\/\//.test(text)) return parsePostgres(text)
  const file = text.startsWith("sqlite:") ? text.slice("sqlite:".length) : /\.(db|sqlite3?)$/.test(text) ? text : ""
  if (file !== "") return Result.succeed({ _tag: "Sqlite", file, text: `sqlite:${file}` })
  // What is not understood may hold a password.
  const shown = text.includes("@") ? "the address" : JSON.stringify(text)
  return reject(shown, "write sqlite:FILE, a path that ends in .db, or postgres://USER@HOST/DATABASE")
}

/** The parameters of a URL, as libpq has them, and one of ours. */
const parameters = [
  "sslmode",
  "sslrootcert",
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "application_name",
  "connect_timeout",
  "options",
  "prepare",
]

const modes: Readonly<Record<string, Encryption>> = {
  disable: "none",
  allow: "ifOffered",
  prefer: "ifOffered",
  require: "verified",
  "verify-ca": "verified",
  "verify-full": "verified",
}

const parsePostgres = (text: string): Result.Result<MirrorAddress, MirrorError> => {
  const url = URL.parse(text)
  if (url === null) return reject("postgres://…", "it is not a URL")
  const shown = new URL(text)
  shown.password = ""
  shown.search = ""
  const given = url.searchParams
  const unknown = [...given.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    return reject(
      shown.href,
      `it has the parameter ${unknown}, and only these have an effect: ${parameters.join(", ")}`,
    )
  }
  const twice = [...given.keys()].find((name) => given.getAll(name).length > 1)
  if (twice !== undefined) return reject(shown.href, `it has the parameter ${twice} twice`)
  const prepare = given.get("prepare") ?? "true"
  if (prepare !== "true" && prepare !== "false") return reject(shown.href, "prepare is true or false")
  const host = given.get("host") ?? url.hostname
  const sslmode = given.get("sslmode") ?? (isHere(host) ? "disable" : "verify-full")
  const encryption = modes[sslmode]
  if (encryption === undefined) {
    return reject(shown.href, `sslmode is one of ${Object.keys(modes).join(", ")}, not ${sslmode}`)
  }
  if (encryption === "ifOffered" && !isHere(host)) {
    return reject(
      shown.href,
      `sslmode=${sslmode} lets whoever answers for ${host} choose no encryption: use verify-full, or disable if the network is trusted`,
    )
  }
  const sslrootcert = given.get("sslrootcert") ?? undefined
  if (sslrootcert !== undefined && encryption !== "verified") {
    return reject(shown.href, `sslrootcert has no effect with sslmode=${sslmode}: use verify-full`)
  }
  // The driver ignores what it does not know.
  for (const name of ["prepare", "sslrootcert"]) given.delete(name)
  given.set("sslmode", sslmode)
  return Result.succeed({
    _tag: "Postgres",
    url: Redacted.make(url.href),
    text: shown.href,
    encryption,
    sslrootcert,
    prepare: prepare === "true",
  })
}

/** A socket, or a name of this machine. */
const isHere = (host: string): boolean =>
  host === "" ||
  host.startsWith("/") ||
  host === "localhost" ||
  host === "[::1]" ||
  host === "::1" ||
  host.startsWith("127.")

const reject = (mirror: string, reason: string) => Result.fail(new MirrorError({ kind: "usage", mirror, reason }))
