/** The file of a SQLite mirror stays the one that was opened: what is written to another one at its path is lost. */
import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { MirrorAddress } from "../MirrorAddress.ts"
import { MirrorError } from "../MirrorError.ts"

const identityOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? undefined : `${found.dev}/${found.ino}`
}

/**
 * Rejects what is there and is no file: SQLite would wait for the writer of a pipe, which no signal ends. And what is not
 * there, but for a writer that makes it. SQLite opens the path again: SECURITY.md says what can happen in between.
 */
export const check = ({ file, text }: Extract<MirrorAddress, { readonly _tag: "Sqlite" }>, readOnly: boolean) =>
  Effect.suspend(() => {
    const reason = faultOf(file, readOnly)
    return reason === undefined ? Effect.void : Effect.fail(new MirrorError({ kind: "usage", mirror: text, reason }))
  })

const faultOf = (file: string, readOnly: boolean): string | undefined => {
  if (file === ":memory:") return undefined
  if (!existsSync(dirname(file))) return `there is no folder ${dirname(file)}: create it first`
  if (!existsSync(file)) return readOnly ? `there is no such file. transfers sync --to ${file} creates it` : undefined
  return statSync(file).isFile() ? undefined : "it is a folder, a pipe or a device"
}

/** Takes the identity of the file that was just opened. The result compares the file at its path with it. */
export const make = (address: MirrorAddress): Effect.Effect<Effect.Effect<void, MirrorError>> =>
  Effect.sync(() => {
    if (address._tag === "Postgres" || address.file === ":memory:") return Effect.void
    const { file, text } = address
    const opened = identityOf(file)
    const reason = `the file at ${file} is not the one that was opened: it was replaced or removed`
    return Effect.suspend(() =>
      identityOf(file) === opened ? Effect.void : Effect.fail(new MirrorError({ kind: "usage", mirror: text, reason })),
    )
  })
