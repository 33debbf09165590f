/** What `transfers export` does. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import { emptyReport, TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as AtomicFile from "../AtomicFile.ts"
import * as Connection from "../Connection.ts"
import { UsageError } from "../Failure.ts"
import type { Globals } from "../Globals.ts"
import { now } from "../Now.ts"
import * as Progress from "../Progress.ts"
import { Screen } from "../Screen.ts"
import * as TransferEncoder from "../TransferEncoder.ts"
import * as TransferFilter from "../TransferFilter.ts"

/** The flags of the command. */
export interface Input extends TransferFilter.FilterFlags {
  readonly out: string
  readonly format: TransferEncoder.Format | undefined
  readonly force: boolean
  readonly csv_raw: boolean
}

export const run = Effect.fn("transfers export")(
  function* (input: Input, _globals: Globals) {
    const screen = yield* Screen
    const at = yield* now
    const filter = yield* Effect.fromResult(TransferFilter.parse(input, at))
    const format = input.format ?? formatOfName(input.out)
    if (format === undefined) {
      return yield* new UsageError({
        message: `Give --format: ${JSON.stringify(input.out)} does not end in ${TransferEncoder.formats.map((name) => `.${name}`).join(", ")}.`,
      })
    }
    const pager = yield* TransferPager
    const encoder = TransferEncoder.make(format, { csvRaw: input.csv_raw })
    const report = yield* Ref.make(emptyReport)
    // Transfers that are created from now on don't belong to this export, so that it has an end.
    const created_at = CreatedAt.and(filter.query.created_at ?? CreatedAt.all, CreatedAt.lte(at))
    const fraction = fractionOf(created_at, at)

    const rows = yield* AtomicFile.write(
      input.out,
      input,
      Effect.fnUntraced(function* (append) {
        const tell = yield* Progress.make
        let rows = 0
        yield* append(encoder.open)
        yield* Stream.runForEach(
          pager.pages({ ...filter.query, created_at }, { report }),
          Effect.fnUntraced(function* (page) {
            const kept = page.results.filter(filter.keeps)
            if (kept.length > 0) yield* append(encoder.batch(kept, rows === 0))
            rows += kept.length
            const { pages } = (yield* Ref.get(report)).tally
            const last = page.results.at(-1)
            yield* tell({ rows, pages, fraction: last === undefined ? undefined : fraction(last.created_at) })
          }),
        )
        yield* append(encoder.close)
        return rows
      }, Effect.scoped),
    )
    const { tally } = yield* Ref.get(report)
    yield* screen.say(`${rows} transfers in ${tally.pages} pages written to ${input.out}\n${remarks(tally)}`)
  },
  (effect, _input, globals) => Effect.provide(effect, Connection.pager(globals)),
)

const formatOfName = (name: string): TransferEncoder.Format | undefined =>
  TransferEncoder.formats.find((format) => name.toLowerCase().endsWith(`.${format}`)) ??
  (name.toLowerCase().endsWith(".jsonl") ? "ndjson" : undefined)

/** How much of a range has been read, judged by the creation of the transfer read last, whichever end came first. */
const fractionOf = (
  created_at: CreatedAt.CreatedAt,
  now: Timestamp.Timestamp,
): ((at: Timestamp.Timestamp) => number | undefined) => {
  const to = CreatedAt.ranges(created_at).at(-1)?.upper?.at ?? now
  let first: bigint | undefined
  const from = CreatedAt.ranges(created_at)[0]?.lower?.at
  return (at) => {
    first ??= at.epochNanoseconds
    if (from === undefined || to.epochNanoseconds <= from.epochNanoseconds) return undefined
    const passed = at.epochNanoseconds - first
    const share = Number(passed < 0n ? -passed : passed) / Number(to.epochNanoseconds - from.epochNanoseconds)
    return Math.min(1, Math.max(0, share))
  }
}

const remarks = (tally: { readonly duplicates: number; readonly outside: number }): string =>
  [
    ...(tally.duplicates === 0
      ? []
      : [`note: the service sent ${tally.duplicates} transfers twice; each is written once`]),
    ...(tally.outside === 0
      ? []
      : [`note: the service sent ${tally.outside} transfers that were not asked for; they are left out`]),
  ]
    .map((line) => `${line}\n`)
    .join("")
