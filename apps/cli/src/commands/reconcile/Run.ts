/** Runs `transfers reconcile`. */
import * as Books from "@transferkit/books/Books"
import * as BookSettings from "@transferkit/books/BookSettings"
import * as OpenItemsFile from "@transferkit/books/OpenItemsFile"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted } from "@transferkit/domain/Quantity"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferSource } from "@transferkit/domain/TransferSource"
import * as FileError from "@transferkit/files/FileError"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as OutputFiles from "@transferkit/files/node/OutputFiles"
import * as LedgerReading from "@transferkit/report/LedgerReading"
import * as ReconciliationJunit from "@transferkit/report/ReconciliationJunit"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as ReconciliationPage from "@transferkit/report/ReconciliationPage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import manifest from "../../../package.json" with { type: "json" }
import { Findings } from "../../Failure.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import { now } from "../../filter/Now.ts"
import { type FilterFlags, filterFlags } from "../../flags/FilterFlags.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Pieces from "../../output/Pieces.ts"
import * as Report from "../../output/Report.ts"
import * as Progress from "../../progress/Progress.ts"
import * as Scan from "../../progress/Scan.ts"
import * as GivenSource from "../../source/GivenSource.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { word } from "../../terminal/ShellWord.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as Flags from "./Flags.ts"
import * as GivenBooks from "./GivenBooks.ts"
import * as ReconciliationReport from "./Report.ts"

/** The arguments of the command. */
export interface Input extends FilterFlags, GivenBooks.Input {
  readonly matched: boolean
  readonly write_accepted: string | undefined
  readonly html: string | undefined
  readonly junit: string | undefined
}

/** Rejects flags that cannot be read, and standard input that would be read twice. */
export const check = Effect.fnUntraced(function* (input: Input) {
  const { query, timeZone } = yield* GivenFilter.parse(input)
  yield* GivenBooks.check(input, { period: query.created_at ?? CreatedAt.all, timeZone })
})

export const run = Effect.fn("transfers reconcile")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const at = yield* now
    // A draft may take the place of what was accepted, whose reasons it keeps.
    const read = input.write_accepted === undefined ? input : { ...input, accepted: undefined }
    yield* OutputFiles.check({ ...(yield* Globals), ...read }, ["html", "junit", "write_accepted", "write_open"])
    const filter = yield* GivenFilter.read({ ...input, currency_of: [input.amount] })
    const period = filter.query.created_at ?? CreatedAt.all
    const source = yield* TransferSource
    // Matching sees every transfer of the period: a filter narrows which of them must be booked.
    const settings = yield* GivenBooks.read(input, { period, timeZone: filter.timeZone })
    const isRequired = ({ external_id }: Transfer) =>
      filter.query.external_id === undefined || external_id === filter.query.external_id
    const asked = yield* Source.ask(BookSettings.question(filter.question, settings))
    const parts = yield* GivenBooks.parts(input, settings, asked)
    if (input.write_accepted !== undefined) yield* AcceptedFile.spare(input.write_accepted, parts.accepted ?? [])
    const { readings, contradictions, keyHints, add, finish, draft } = yield* Progress.during("reading the ledger")(
      Books.open({
        ...parts,
        order: source.order === "any" ? "created" : "added",
        matched: input.matched,
        inDollars: input.html !== undefined,
        drafts: input.write_accepted !== undefined,
        isRequired: (transfer) => filter.keeps(transfer) && isRequired(transfer),
      }),
    )
    const output = yield* Report.outputOf("json")
    // JSON has it in the document.
    if (output !== "json") yield* Effect.forEach(readings, (reading) => screen.say(LedgerReading.sentence(reading)))
    yield* Stream.runForEach(Scan.of({ created_at: BookSettings.searched(settings) }), add)
    const result = yield* Progress.during("matching")(finish)
    for (const { text } of keyHints.hints.slice(0, 2)) yield* screen.say(text)
    if (contradictions.first !== undefined) {
      yield* screen.say(
        `${counted(contradictions.count, "transfer")} of another direction than its kind: ${contradictions.first}`,
      )
    }
    if (result.refusal !== undefined) yield* screen.say(result.refusal)

    const options = { ledgers: readings, settings: { version: manifest.version, ...BookSettings.toStored(settings) } }
    const page = "--html PAGE.html"
    yield* Report.print({ ...Source.withSource(ReconciliationReport.make(result, options), asked), page }, output)
    if (input.html !== undefined) {
      const fixed = TimeSpan.fixed(input, { now: at, zone: filter.timeZone })
      const own = [...Flags.wordsOf(fixed, Object.keys(filterFlags)), ...GivenBooks.wordsOf(input, settings, asked)]
      const words = [...input.ledger, ...own, ...(yield* GivenSource.words(asked)), "--html", input.html]
      const html = yield* FileError.attempt(() =>
        ReconciliationPage.render(result, {
          ...input,
          ledger: GivenBooks.namesOf(input),
          readings,
          command: `transfers reconcile ${words.map(word).join(" ")}`,
          version: manifest.version,
          source: asked,
          period,
          timeZone: settings.timeZone,
          settlement: settings.settlement,
          made_at: at,
        }),
      )
      yield* AtomicFile.writeText(input.html, html)
    }
    if (input.write_accepted !== undefined && draft !== undefined) {
      yield* AcceptedFile.write(input.write_accepted, draft.breaks)
    }
    if (input.write_open !== undefined) yield* OpenItemsFile.write(input.write_open, result.openItems ?? [])
    if (input.junit !== undefined) {
      yield* AtomicFile.spare(input.junit, '<?xmlversion="1.0"encoding="UTF-8"?><testsuites')
      yield* AtomicFile.write(input.junit, (append) => Pieces.write(ReconciliationJunit.render(result), append))
    }
    const failures = ReconciliationLines.failures(result)
    if (output === "table") {
      const rows = readings.reduce((sum, reading) => sum + reading.rows - (reading.outside ?? 0), 0)
      const found = result.statuses.reduce((sum, { transfers }) => sum + transfers, 0)
      const classes = ReconciliationLines.classes(result, settings.settlement)
      yield* screen.say(
        `${counted(rows, "ledger row")}, ${counted(found, "transfer")}, ${ReconciliationLines.verdict(result)}. Statuses ${classes}`,
      )
    }
    if (failures > 0) return yield* new Findings({ count: failures })
  },
  Effect.scoped,
  guarded,
)
