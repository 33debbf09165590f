/** Runs `transfers query`. */
import { counted } from "@transferkit/domain/Quantity"
import type * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import * as QueryAnswer from "@transferkit/mirror/QueryAnswer"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ProgramTimedOut } from "../../Failure.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as MirrorSource from "../../mirror/MirrorSource.ts"
import * as Projection from "../../output/Projection.ts"
import * as Report from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import * as OwnProcess from "../../OwnProcess.ts"
import { Rerun } from "../../Rerun.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { readStandardInput } from "../../terminal/StandardInput.ts"
import * as QueryProcess from "./QueryProcess.ts"

/** The arguments of the command. */
export interface Input extends Projection.ProjectionFlags {
  readonly sql: string
  readonly csv_dialect: CsvDialect.CsvDialect | undefined
  readonly allow_superuser: boolean
}

export const run = Effect.fn("transfers query")(function* (input: Input) {
  const { from = "", output: asked } = yield* Globals
  const projection = yield* Effect.fromResult(Projection.parse(input, { output: asked }))
  const again = yield* Rerun
  // From the start: a mirror that is locked, or silent, keeps back what precedes the statement, too.
  const limited = Effect.timeoutOrElse({
    duration: Duration.seconds(input.timeout),
    orElse: () => Effect.fail(new ProgramTimedOut({ what: "The query", seconds: input.timeout })),
  })
  const isOfFile = again !== undefined && MirrorAddress.isFile(from)
  if (isOfFile && !OwnProcess.isHere()) return yield* QueryProcess.run(again).pipe(limited)
  const limitMemory = isOfFile ? OwnProcess.endAtOnce() : undefined
  limitMemory?.(QueryProcess.megabytes)
  const output = yield* Report.outputOf("ndjson")
  const answer = yield* answerOf(input).pipe(Effect.provide(Layers.mirror), limited)
  const { columns: names } = answer
  const records = QueryAnswer.records(answer)
  if (projection !== undefined) {
    // jq has a limit of its own.
    limitMemory?.(Infinity)
    return yield* Projection.print(projection, { records, known: names, isEach: false })
  }
  const cells = records.map((record) => names.map((name) => cellOf(record[name])))
  yield* Report.print(
    {
      json: records,
      records,
      csv: [names, ...cells],
      numbers: QueryAnswer.numbers(answer),
      table: () => [
        {
          columns: names.map((name) => {
            if (TransferTable.isIdentifier(name)) return { header: name, id: true }
            const isNumber = records.every((record) => record[name] === null || isNumeric(record[name]))
            return {
              header: name,
              ...(isNumber ? { align: "right" as const } : { shrinkTo: 12, keeps: TransferTable.isMoney }),
            }
          }),
          rows: cells,
        },
      ],
    },
    output,
    input.csv_dialect,
  )
  const screen = yield* Screen
  if (output === "table") yield* screen.note(`${counted(records.length, "row")}\n`)
})

const answerOf = Effect.fnUntraced(function* ({ sql, timeout, allow_superuser }: Input) {
  const { query } = yield* TransferMirror
  const text = sql === "-" ? yield* readStandardInput : sql
  // What the SQL asks for is unknown, so everything is.
  // What may still change is as the mirror says, whatever the profile.
  const everything = { only: {}, final: undefined }
  for (const source of yield* MirrorSource.sources) yield* Source.askOf(source, everything)
  return yield* query(text, { timeout: Duration.seconds(timeout + 1), allowSuperuser: allow_superuser })
})

const cellOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value))

const isNumeric = (value: unknown): boolean => /^-?\d+(\.\d+)?$/.test(String(value))
