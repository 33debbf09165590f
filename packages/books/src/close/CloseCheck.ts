/** Verifies a bundle: its files by their hashes, and its results by computing them again from the bundle alone. */
import { join } from "node:path"
import type { Check } from "@transferkit/files/exports/ExportCheck"
import * as FileError from "@transferkit/files/FileError"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as PrivateFile from "../internal/PrivateFile.ts"
import * as CloseBundle from "./CloseBundle.ts"
import * as ClosedBooks from "./ClosedBooks.ts"
import * as CloseSignature from "./CloseSignature.ts"

/** What was found, and the bundle. */
export interface Checked {
  readonly bundle: CloseBundle.CloseBundle
  readonly checks: ReadonlyArray<Check>
  /** Only a valid one proves who wrote the bundle: that of the key that was given. */
  readonly signature: "valid" | "wrong" | "not checked" | "none"
}

/** What a check is given beside the bundle. */
export interface Options {
  /** The public key that is expected to have signed it. */
  readonly key: string | undefined
  /** Ledgers that the bundle was written without. They are found by their hashes, whatever their names. */
  readonly ledgers: ReadonlyArray<string>
}

/** The end of the name of a check that computes a result again. */
export const again = " made again"

/** Checks a bundle. */
export const check = Effect.fn("CloseCheck.check")(function* (path: string, { key, ledgers }: Options) {
  const bundle = yield* CloseBundle.unpack(path)
  const { manifest, folder, damaged, unexpected, withheld } = bundle
  const given = yield* copies(ledgers)
  const byPath = new Map(damaged.map((one) => [one.path, one]))
  const lacking = withheld.filter(({ sha256 }) => !given.has(sha256)).map((file) => file.path)
  const checks: Array<Check> = manifest.files.map(({ path: name, sha256 }) => {
    const found = lacking.includes(name) ? notGiven(ledgers) : (byPath.get(name)?.found ?? sha256)
    return { check: name, expected: sha256, found, ok: found === sha256 }
  })
  for (const name of unexpected) checks.push({ check: name, expected: "no such file", found: "a file", ok: false })
  let signature: Checked["signature"] = bundle.signature === undefined ? "none" : "not checked"
  if (bundle.signature !== undefined && key !== undefined) {
    const { isValid, key: name } = yield* CloseSignature.check(bundle.manifestBytes, bundle.signature, key)
    const found = isValid ? `signed by ${name}` : "the signature of another key, or of another close.json"
    checks.push({ check: "close.sig", expected: `signed by ${name}`, found, ok: isValid })
    signature = isValid ? "valid" : "wrong"
  }
  if (bundle.signature === undefined && key !== undefined) {
    checks.push({ check: "close.sig", expected: "a signature", found: "none", ok: false })
  }
  // What is damaged or lacking would not give the results again.
  if (damaged.length === 0 && lacking.length === 0) {
    for (const file of withheld) {
      yield* PrivateFile.copy(given.get(file.sha256) ?? "", join(folder, file.path))
    }
    const system = yield* FileSystem.FileSystem
    const folderAgain = yield* FileError.mapTo("the folder for temporary files")(system.makeTempDirectoryScoped())
    const made = yield* ClosedBooks.make(folder, folderAgain)
    const other = ClosedBooks.contradiction(manifest, made.kept)
    if (other !== undefined) {
      const { field, expected, found } = other
      checks.push({ check: `close.json ${field}`, expected, found, ok: false })
    }
    for (const name of made.results) {
      const [expected, { sha256 }] = [
        manifest.files.find((file) => file.path === name)?.sha256 ?? "",
        yield* TransferFile.fingerprint(join(folderAgain, name)),
      ]
      checks.push({ check: `${name}${again}`, expected, found: sha256, ok: sha256 === expected })
    }
  }
  const checked: Checked = { bundle, checks, signature }
  return checked
})

/** The paths of copies of files, by their hashes: so what is checked is what is used, and a pipe is read once. */
const copies = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  if (paths.length === 0) return new Map<string, string>()
  const system = yield* FileSystem.FileSystem
  const folder = yield* FileError.mapTo("the folder for temporary files")(system.makeTempDirectoryScoped())
  const all = yield* Effect.forEach(paths, (path, index) => {
    const copy = join(folder, String(index))
    return PrivateFile.copy(path, copy).pipe(
      Effect.andThen(TransferFile.fingerprint(copy)),
      Effect.map(({ sha256 }) => [sha256, copy] as const),
    )
  })
  return new Map(all)
})

const notGiven = (ledgers: ReadonlyArray<string>): string =>
  ledgers.length === 0 ? "withheld: give this ledger with --ledger" : "withheld, and no --ledger has this SHA-256"
