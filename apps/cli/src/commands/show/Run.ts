/** Runs `transfers show`. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import { TransferSource } from "@transferkit/domain/TransferSource"
import type * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import { Globals } from "../../flags/Globals.ts"
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
  readonly csv_dialect: CsvDialect.CsvDialect | undefined
}

/** Rejects flags that contradict each other or cannot be read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  const { output } = yield* Globals
  const options = { output, columns: input.columns, known: TransferPrinter.fieldNames }
  return {
    projection: yield* Effect.fromResult(Projection.parse(input, options)),
    columns: input.columns === undefined ? undefined : yield* Effect.fromResult(Listing.columnsOf(input.columns)),
    timeZone: yield* Effect.fromResult(TransferFilter.timeZoneOf(input.time_zone)),
  }
})

export const run = Effect.fn("transfers show")(function* (input: Input) {
  const { projection, columns, timeZone } = yield* check(input)
  const source = yield* TransferSource
  const coverage = yield* source.coverage
  const found = yield* Stream.runCollect(source.find([input.id]))
  // One that was not found may be among those that had not been read by then.
  const asked = { ...source, coverage: Effect.succeed(coverage) }
  if (found.length === 0) {
    yield* Source.askOf(asked, Coverage.ever, [])
    yield* (yield* Screen).say(`${input.id}: no transfer of ${source.name} has this ${keysOf(source)}.`)
    return yield* new Findings({ count: 0 })
  }
  yield* Source.askFound(asked)
  // An id is that of one transfer; any other key may also be that of some which the source lacks.
  if (!found.some(({ transfer }) => transfer.id === input.id)) {
    yield* Source.warnOf(asked, { ...Coverage.ever, final: undefined })
  }
  if (projection !== undefined) {
    const records = found.map(({ transfer }) => transfer)
    return yield* Projection.print(projection, { records, known: TransferPrinter.fieldNames, isEach: true })
  }
  yield* Report.print(ShowReport.make(found, { columns, timeZone }), yield* Report.outputOf("json"), input.csv_dialect)
})

const keysOf = ({ keys }: TransferSource["Service"]): string => {
  if (keys.length > 2) return "id, external_id, transaction hash or wallet"
  if (keys.length > 1) return "id or external_id"
  return "external_id, by which alone it finds transfers. To find them by id, read an export or a mirror with --from"
}
