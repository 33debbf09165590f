/** The close that a month starts from: its open items, its acceptances, and what has changed since in its month. */
import { join } from "node:path"
import type * as Origin from "@transferkit/domain/Origin"
import type { Check } from "@transferkit/files/exports/ExportCheck"
import * as FileError from "@transferkit/files/FileError"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as Effect from "effect/Effect"
import * as BookBase from "../BookBase.ts"
import type * as BookSettings from "../BookSettings.ts"
import * as CloseBundle from "./CloseBundle.ts"
import * as CloseCheck from "./CloseCheck.ts"
import * as ClosedBooks from "./ClosedBooks.ts"

/** What the next month needs of a close. */
export interface PreviousClose {
  readonly bundle: CloseBundle.CloseBundle
  readonly settings: BookSettings.BookSettings
  /** The text of its file. */
  readonly openItems: string
  /** Those whose breaks are still open, and that had not expired. */
  readonly accepted: ReadonlyArray<AcceptedFile.AcceptedBreak> | undefined
}

/**
 * Unpacks a bundle, and repeats it: hashes alone show damage, not that somebody removed an open item. One whose ledgers
 * are withheld cannot be repeated without them, so it must have the signature of a key that is given.
 */
export const open = Effect.fn("PreviousClose.open")(function* (path: string, given: CloseCheck.Options) {
  const { bundle, checks, signature } = yield* CloseCheck.check(path, given)
  const trusted = signature === "valid" && given.ledgers.length === 0 ? bundle.withheld : []
  const failed = checks.filter(({ check, ok }) => !ok && !trusted.some((file) => file.path === check))
  const wrong = failed.find(({ check }) => check === "close.sig") ?? failed[0]
  if (wrong === undefined) return bundle
  return yield* new FileError.FileError({ path, reason: reasonOf(wrong, bundle) })
})

const reasonOf = ({ check, found }: Check, { path, withheld }: CloseBundle.CloseBundle): string => {
  if (check === "close.sig") return `--previous-key expects another signature: it has ${found}`
  if (withheld.some((file) => file.path === check)) {
    return `its ${check} is withheld, so that somebody may have changed its results: give the ledger with --previous-ledger, or with --previous-key the public key of who signed the bundle`
  }
  if (check.startsWith("close.json ")) return `its ${check} is not what its books say: run transfers verify ${path}`
  return check.endsWith(CloseCheck.again)
    ? `its ${check.slice(0, -CloseCheck.again.length)} is not what its other files give: run transfers verify ${path}`
    : `its file ${check} is not what close.json says: run transfers verify ${path}`
}

/** Reads an unpacked bundle. */
export const read = Effect.fn("PreviousClose.read")(function* (bundle: CloseBundle.CloseBundle) {
  const { folder, manifest, path } = bundle
  const kept = yield* ClosedBooks.read(folder)
  const { settings } = kept
  const other = ClosedBooks.contradiction(manifest, kept)
  if (other !== undefined) {
    const reason = `its close.json says ${other.field} ${other.found}, and its books ${other.expected}`
    return yield* new FileError.FileError({ path, reason })
  }
  const openItems = yield* CloseBundle.textOf(folder, ClosedBooks.results.openItems)
  if (openItems === undefined) return yield* new FileError.FileError({ path, reason: "it has no open items" })
  const accepted = CloseBundle.has(bundle, ClosedBooks.inputs.accepted)
    ? yield* AcceptedFile.read(join(folder, ClosedBooks.inputs.accepted))
    : undefined
  const isOpen = (fingerprint: string) => openItems.includes(JSON.stringify(fingerprint))
  const previous: PreviousClose = {
    bundle,
    settings,
    openItems,
    accepted: accepted?.filter((one) => one.until >= manifest.as_of_day && AcceptedFile.explained(one).every(isOpen)),
  }
  return previous
})

/** Why a month cannot start from a close, as a clause: it is of another base. */
export const otherBase = (
  { settings, bundle: { manifest } }: PreviousClose,
  next: BookSettings.BookSettings,
  origin: Origin.Origin | undefined,
): string | undefined => BookBase.difference(BookBase.of(settings, manifest.origin), BookBase.of(next, origin))
