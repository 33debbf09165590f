/** `close.json`: what a bundle is, and the hash of each of its files. It alone holds the time at which it was written. */
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Origin from "@transferkit/domain/Origin"
import * as StoredCoverage from "@transferkit/files/exports/StoredCoverage"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

/** A file of a bundle. One that is withheld is not in the archive: a check needs its own copy. */
export const File = S.Struct({
  path: S.String,
  bytes: S.Int.check(S.isGreaterThanOrEqualTo(0)),
  sha256: S.String,
  withheld: S.optionalKey(S.Literal(true)),
})

/** The schema. */
export const CloseManifest = S.Struct({
  transfers_close: S.Literal(1),
  month: S.String,
  created_at: StoredCoverage.Times,
  time_zone: S.String,
  as_of_day: S.String,
  /** Whose transfers they are; absent if the source does not say. */
  origin: S.optionalKey(Origin.Schema),
  /** Where they were read. */
  source: S.String,
  /** The instant up to which the source was complete. */
  as_of: S.String,
  version: S.String,
  command: S.Array(S.String),
  closed_at: S.String,
  /** The close that it starts from: the SHA-256 of its `close.json`. */
  previous: S.optionalKey(S.Struct({ month: S.String, sha256: S.String })),
  files: S.Array(File).check(S.isMaxLength(10_000)),
})

/** See the schema. */
export type CloseManifest = typeof CloseManifest.Type

const read = JsonDocument.reader(CloseManifest)

/** Reads the text of a `close.json`; or says, as a clause, what is wrong with it. */
export const parse = (text: string): Result.Result<CloseManifest, string> =>
  Result.gen(function* () {
    const manifest = yield* Result.mapError(
      read(text),
      (reason) => `its close.json cannot be read: ${reason.split("\n")[0]}`,
    )
    const seen = new Set<string>()
    // Some file systems do not distinguish upper and lower case.
    const isNew = (path: string) => seen.size < seen.add(path.toLowerCase()).size
    const wrong = manifest.files.find(
      ({ path, withheld = false }) => !isPath(path) || !isNew(path) || (withheld && !isLedger(path)),
    )
    return wrong === undefined
      ? manifest
      : yield* Result.fail(`its close.json names a file ${JSON.stringify(wrong.path)}`)
  })

/** As text. */
export const toText = (manifest: CloseManifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`

/** Nothing outside of the bundle's folder, on any system. */
const isPath = (path: string): boolean => /^(?:ledgers\/)?[\w-][\w.-]*$/.test(path)

/** Whether a path is that of a ledger in a bundle. */
export const isLedger = (path: string): boolean => path.startsWith("ledgers/") && isPath(path)

/** The name of a ledger in a bundle, which no other of the bundle has. */
export const ledgerPath = (name: string, taken: ReadonlySet<string>): string => {
  const known = new Set([...taken].map((path) => path.toLowerCase()))
  const safe = name.replace(/[^\w.-]/g, "_").replace(/^\.+/, "_") || "ledger"
  for (let count = 1; ; count++) {
    const path = `ledgers/${count === 1 ? "" : `${count}-`}${safe}`
    if (!known.has(path.toLowerCase())) return path
  }
}
