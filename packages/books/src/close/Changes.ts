/** What has changed in a month since it was closed, transfer by transfer. */
import { writeFile } from "node:fs/promises"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as ExportDiff from "@transferkit/files/exports/ExportDiff"
import * as FileError from "@transferkit/files/FileError"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** How many transfers have changed, and which. */
export interface Changes {
  readonly month: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly transfers: ReadonlyArray<ExportDiff.Difference>
}

/** The transfers of a month as it was closed, and now: two files, which may hold those of other times, too. */
export interface Options {
  readonly month: string
  readonly created_at: ReadonlyArray<string>
  readonly before: string
  readonly since: string
}

/** The transfers that the books of the month did not have, or had as failed: they may have to be booked now. */
export const late = ({ transfers }: Changes, settlement: Dialect.Settlement): ReadonlySet<string> => {
  const hadFailed = (one: ExportDiff.Difference) =>
    one.kind === "changed" &&
    one.changes.some(({ field, from }) => field === "status" && Dialect.classOf(settlement, String(from)) === "failed")
  return new Set(transfers.filter((one) => one.kind === "added" || hadFailed(one)).map(({ id }) => id))
}

/** Compares the files, and writes the changes. */
export const write = Effect.fn("Changes.write")(function* (options: Options, path: string) {
  const { month, created_at, before, since } = options
  const period = yield* Effect.fromResult(
    Result.mapError(
      CreatedAt.fromParams(created_at),
      ({ message }) => new FileError.FileError({ path: before, reason: message }),
    ),
  )
  const scratch = yield* ScratchFile.make
  const read = (file: string) =>
    async function* () {
      for await (const batch of TransferFile.batches({ path: file, format: "ndjson" }))
        yield batch.filter((transfer) => CreatedAt.matches(period, transfer.created_at))
    }
  return yield* Effect.tryPromise({
    try: async (): Promise<Changes> => {
      const { differences } = await ExportDiff.compare(read(before), read(since), { scratch })
      const all = [...differences]
      const count = (kind: ExportDiff.Difference["kind"]) => all.filter((one) => one.kind === kind).length
      const counts = { added: count("added"), removed: count("removed"), changed: count("changed") }
      const changes = { month, ...counts, transfers: all }
      await writeFile(path, `${JSON.stringify(changes, undefined, 2)}\n`, { mode: 0o600 })
      return changes
    },
    catch: (error) =>
      error instanceof FileError.FileError
        ? error
        : new FileError.FileError({ path: before, reason: FileError.reasonOf(error) }),
  })
})
