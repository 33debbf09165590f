/** Runs `transfers show`. */
import { keyFields } from "@transferkit/domain/Reconciliation"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import { TransferPager } from "@transferkit/domain/TransferPager"
import type * as Csv from "@transferkit/files/formats/Csv"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as MirrorSource from "../../mirror/MirrorSource.ts"
import * as Listing from "../../output/Listing.ts"
import * as Projection from "../../output/Projection.ts"
import * as Report from "../../output/Report.ts"
import * as TransferPrinter from "../../output/TransferPrinter.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as ShowReport from "./Report.ts"

/** The arguments of the command. */
export interface Input extends Projection.ProjectionFlags {
  readonly id: string
  readonly columns: string | undefined
  readonly time_zone: string | undefined
  readonly csv_dialect: Csv.Dialect | undefined
}

export const run = Effect.fn("transfers show")(function* (input: Input) {
  const { id } = input
  const { from, output } = yield* Globals
  const projection = yield* Effect.fromResult(
    Projection.parse(input, { output, columns: input.columns, known: TransferPrinter.fieldNames }),
  )
  const columns = input.columns === undefined ? undefined : yield* Effect.fromResult(Listing.columnsOf(input.columns))
  const timeZone = yield* Effect.fromResult(TransferFilter.timeZoneOf(input.time_zone))
  const isFile = from !== undefined && Layers.isFile(from)
  const found = yield* from === undefined || isFile
    ? (isFile ? ofFile(id) : ofService(id)).pipe(Effect.provide(Layers.transfers))
    : ofMirror(id).pipe(Effect.provide(MirrorSource.mirror))
  if (found.length === 0) {
    // A transfer that was found is there. One that was not found may be among those that were not read.
    yield* Source.askAll({ only: {} })
    const screen = yield* Screen
    const keys =
      from === undefined
        ? "external_id, by which alone the service finds transfers. To find them by id, read an export or a mirror with --from"
        : isFile
          ? "id, external_id, transaction hash or wallet"
          : "id or external_id"
    yield* screen.note(`No transfer has this ${keys}.\n`)
    return yield* new Findings({ count: 0 })
  }
  if (projection !== undefined) {
    const records = found.map(({ transfer }) => transfer)
    return yield* Projection.print(projection, { records, known: TransferPrinter.fieldNames, isEach: true })
  }
  yield* Report.print(ShowReport.make(found, { columns, timeZone }), yield* Report.outputOf("json"), input.csv_dialect)
})

const ofService = Effect.fnUntraced(function* (external_id: string) {
  const pager = yield* TransferPager
  const transfers = yield* Stream.runCollect(pager.transfers({ external_id }))
  return transfers.map((transfer): ShowReport.Shown => ({ transfer }))
})

const ofFile = Effect.fnUntraced(function* (id: string) {
  const pager = yield* TransferPager
  const transfers = yield* pager.transfers({}).pipe(
    Stream.filter((transfer) => keyFields.some((field) => transfer[field] === id)),
    Stream.runCollect,
  )
  return transfers.map((transfer): ShowReport.Shown => ({ transfer }))
})

const ofMirror = Effect.fnUntraced(function* (id: string) {
  const { find } = yield* TransferMirror
  const { partnerId } = yield* Globals
  const found = yield* find(id)
  return found.filter(({ partner_id }) => partnerId === undefined || partner_id === partnerId)
})
