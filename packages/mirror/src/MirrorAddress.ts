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
 * Result.isFailure(MirrorAddress.parse("sqlite:postgres://db.example/transfers")) // => true
 */
export const parse = (text: string): Result.Result<MirrorAddress, MirrorError> => {
  if (scheme.test(text)) return parsePostgres(text)
  const file = text.startsWith("sqlite:") ? text.slice("sqlite:".length) : /\.(db|sqlite3?)$/.test(text) ? text : ""
  if (file !== "" && !file.includes("://")) return Result.succeed({ _tag: "Sqlite", file, text: `sqlite:${file}` })
  // What is not understood may hold a password.
  const [start] = /^[a-z]+:\/\//.exec(text) ?? []
  const named = /^[\w ./\\-]+$/.test(text) ? JSON.stringify(text) : start === undefined ? "the address" : `${start}…`
  return reject(named, "write sqlite:FILE, a path that ends in .db, or postgres://USER@HOST/DATABASE")
}

const scheme = /^postgres(ql)?:\/\//

/**
 * Whether a text is meant as the address of a mirror. {@link parse} says what is wrong with it.
 *
 * @example
 * MirrorAddress.isAddress("transfers.db") // => true
 * MirrorAddress.isAddress("postgres://db.example/transfers?sslmode=on") // => true
 * MirrorAddress.isAddress("transfers.csv") // => false
 */
export const isAddress = (text: string): boolean => scheme.test(text) || Result.isSuccess(parse(text))

/**
 * Whether a text is the address of a SQLite file.
 *
 * @example
 * MirrorAddress.isFile("transfers.db") // => true
 * MirrorAddress.isFile("postgres://db.example/transfers") // => false
 */
export const isFile = (text: string): boolean =>
  Result.match(parse(text), { onFailure: () => false, onSuccess: ({ _tag }) => _tag === "Sqlite" })

/**
 * An address, or the path of a file, as it may be printed and kept: a database without password and parameters, and
 * nothing of what is meant as a database and not understood.
 *
 * @example
 * MirrorAddress.shown("postgres://me:a:b@db.example/transfers?password=c") // => "postgres://me@db.example/transfers"
 * MirrorAddress.shown("postgres://me:secret@db.example/transfers?foo=1") // => "postgres://…"
 * MirrorAddress.shown("transfers.db") // => "transfers.db"
 */
export const shown = (text: string): string => {
  const address = parse(text)
  if (Result.isFailure(address)) return withoutSecrets(text)
  return address.success._tag === "Postgres" ? address.success.text : text
}

/**
 * Whether a text may hold a secret: a database with a password, or anything that is not understood.
 *
 * @example
 * MirrorAddress.hasSecret("postgres://me@db.example/transfers?sslmode=verify-full") // => false
 * MirrorAddress.hasSecret("postgres://me@db.example/transfers?PASSWORD=secret") // => true
 * MirrorAddress.hasSecret("sqlite:transfers.db") // => false
 */
export const hasSecret = (text: string): boolean => {
  const address = parse(text)
  if (Result.isFailure(address)) return true
  if (address.success._tag === "Sqlite") return false
  const url = new URL(text)
  return url.password !== "" || url.searchParams.has("password")
}

/** A text that is no address: as it is, unless it is meant as one. */
const withoutSecrets = (text: string): string => {
  if (/^\s*postgres/i.test(text) && /[:?@=]/.test(text)) return "postgres://…"
  if (/passw|pwd\s*=/i.test(text)) return "…"
  const end = text.indexOf("://")
  return end === -1 ? text : `${text.slice(0, end)}://…`
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
  const given = url.searchParams
  // Then what was read as a port, a path or a parameter is a piece of the password.
  if ([url.pathname, url.hash, ...given.keys()].some((part) => part.includes("@"))) {
    return reject("postgres://…", "it has an @ after the host: in a password, write / as %2F, ? as %3F and # as %23")
  }
  if (/%(?:25)*3a/i.test(url.username) || /[=;&]|%(?:25)*3[bdf]|%(?:25)*26/i.test(url.pathname)) {
    return reject(
      "postgres://…",
      "write a password after a colon that is not escaped, and parameters after a ? that is not",
    )
  }
  const shown = new URL(text)
  shown.password = ""
  shown.search = ""
  shown.hash = ""
  const unknown = [...given.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    // After an & in a password, the rest of it reads as a parameter.
    const named = given.has("password") ? "a parameter beside its password" : `the parameter ${unknown}`
    return reject(shown.href, `it has ${named}, and only these have an effect: ${parameters.join(", ")}`)
  }
  const twice = [...given.keys()].find((name) => given.getAll(name).length > 1)
  if (twice !== undefined) return reject(shown.href, `it has the parameter ${twice} twice`)
  const prepare = given.get("prepare") ?? "true"
  if (prepare !== "true" && prepare !== "false") return reject(shown.href, "prepare is true or false")
  const host = given.get("host") ?? url.hostname
  const sslmode = given.get("sslmode") ?? (isHere(host) ? "disable" : "verify-full")
  const encryption = Object.hasOwn(modes, sslmode) ? modes[sslmode] : undefined
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
  /^127(?:\.\d{1,3}){3}$/.test(host)

const reject = (mirror: string, reason: string) => Result.fail(new MirrorError({ kind: "usage", mirror, reason }))
