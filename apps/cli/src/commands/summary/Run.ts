/** Runs `transfers summary`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted } from "@transferkit/domain/Quantity"
import * as Summary from "@transferkit/domain/Summary"
import { moneyFields } from "@transferkit/domain/Transfer"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import { TransferSource } from "@transferkit/domain/TransferSource"
import type * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Listing from "../../output/Listing.ts"
import * as Report from "../../output/Report.ts"
import { unknownName } from "../../output/Suggestion.ts"
import * as Scan from "../../progress/Scan.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as Style from "../../terminal/Style.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as SummaryReport from "./Report.ts"

/** The flags of the command. */
export interface Input extends FilterFlags {
  readonly by: string
  readonly field: string | undefined
  readonly csv_dialect: CsvDialect.CsvDialect | undefined
  readonly chart: boolean
}

/** Rejects flags that contradict each other or cannot be read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  yield* GivenFilter.parse(input)
  const by = yield* listed("--by", input.by, Summary.dimensions)
  const { output } = yield* Globals
  if (input.chart && output !== undefined && output !== "table") {
    return yield* new UsageError({
      message: `--chart cannot be combined with --output ${output}: remove one of them.`,
    })
  }
  const format = yield* Report.outputOf("json")
  const given = input.field ?? (format === "json" || format === "ndjson" ? "all" : Summary.usualFields.join(","))
  const fields = given === "all" ? moneyFields : yield* listed("--field", given, moneyFields)
  return { by, fields, output: format }
})

export const run = Effect.fn("transfers summary")(function* (input: Input) {
  preferSmallHeap()
  const screen = yield* Screen
  const { by, fields, output } = yield* check(input)
  const filter = yield* GivenFilter.read(input)
  const asked = yield* Source.ask(filter.question)
  const summary = yield* total(filter, by)
  if (input.chart) {
    const [given = "source_total"] = fields
    // A bar for each currency has no scale in common with the others but dollars.
    const field = by.join() === "currency" ? (moneyFields.find((name) => name === `${given}_usd`) ?? given) : given
    const wanted = TransferFilter.valuesOf((field === given && input.currency) || []).map((code) => code.toLowerCase())
    const keeps = (currency: string) => wanted.length === 0 || wanted.includes(currency.toLowerCase())
    const width = Math.min(screen.stdout.columns, 120)
    yield* screen.draw(SummaryReport.chart(summary, field, { width, style: Style.make(screen.stdout), keeps }))
    return yield* screen.note(`${counted(summary.transfers, "transfer")}\n`)
  }
  yield* Report.print(Source.withSource(SummaryReport.make(summary, fields), asked), output, input.csv_dialect)
  if (output === "table") yield* screen.note(`${counted(summary.transfers, "transfer")}\n`)
}, guarded)

/** A source may have most of it ready, by the days of UTC. */
const total = Effect.fnUntraced(function* (
  { query, keeps, keepsStatus, isPartial, timeZone }: TransferFilter.TransferFilter,
  by: ReadonlyArray<Summary.Dimension>,
) {
  const { summary } = yield* TransferSource
  const ready =
    summary === undefined || timeZone !== undefined ? undefined : yield* summary({ query, by, keepsStatus, isPartial })
  if (ready !== undefined && CreatedAt.isEmpty(ready.rest)) return ready.summary
  const kept = Scan.of(ready === undefined ? query : { ...query, created_at: ready.rest }).pipe(
    Stream.flattenIterable,
    Stream.filter(keeps),
  )
  const read = yield* Stream.run(kept, Summary.sink({ by, timeZone }))
  return ready === undefined ? read : Summary.combine([ready.summary, read], { by })
})

/** The values of a flag that takes a comma-separated list. */
const listed = <A extends string>(
  flag: string,
  text: string,
  known: ReadonlyArray<A>,
): Effect.Effect<ReadonlyArray<A>, UsageError> =>
  Effect.flatMap(
    Effect.fromResult(Listing.distinctNames(flag, text)),
    Effect.forEach((name) => {
      const found = known.find((one) => one === name)
      return found === undefined
        ? Effect.fail(unknownName(flag, flag === "--by" ? "dimension" : "amount", name, known))
        : Effect.succeed(found)
    }),
  )
