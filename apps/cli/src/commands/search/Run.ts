/** Runs `transfers search`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { Dialect } from "@transferkit/domain/Dialect"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as TransferEncoder from "@transferkit/files/formats/TransferEncoder"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import { type Globals, isForScript, type Output } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import * as Table from "../../output/Table.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import * as Progress from "../../progress/Progress.ts"
import { shellWord } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as Style from "../../terminal/Style.ts"
import { UsageError } from "../../UsageError.ts"

/** The flags of the command. */
export interface Input extends TransferFilter.FilterFlags {
  readonly id: string | undefined
  readonly all: boolean
  readonly limit: number
  readonly after_cursor: string | undefined
  readonly csv_raw: boolean
}

export const run = Effect.fn("transfers search")(
  function* (given: Input, globals: Globals) {
    if (given.id !== undefined && given.external_id !== undefined) {
      return yield* new UsageError({ message: "Give the external_id as an argument or with --external-id, not both." })
    }
    const input = { ...given, external_id: given.external_id ?? given.id }
    const filter = yield* TransferFilter.read(input, globals)
    const output = yield* Report.outputOf(globals, "ndjson")
    if (input.all) return yield* allPages(filter, input, output)
    // A reader of JSON has the cursor of the next page, and one who gives a cursor wants the page after it.
    yield* filter.isPartial && output !== "json" && input.after_cursor === undefined
      ? firstMatches(filter, input, { output, isQuiet: isForScript(globals) })
      : onePage(filter, input, output)
  },
  (effect, _input, globals) => Effect.provide(effect, Layers.service(globals)),
)

const onePage = Effect.fnUntraced(function* (filter: TransferFilter.TransferFilter, input: Input, output: Output) {
  const screen = yield* Screen
  const api = yield* TransferApi
  const plan = CreatedAt.plan(filter.query.created_at ?? CreatedAt.all, yield* Dialect)
  const [request] = plan.requests
  const { external_id } = filter.query
  const page = yield* api.search({
    ...(external_id === undefined ? {} : { external_id }),
    ...(request === undefined || request.created_at.length === 0 ? {} : { created_at: request.created_at }),
    limit: input.limit,
    ...(input.after_cursor === undefined ? {} : { after_cursor: input.after_cursor }),
  })
  const results = page.results.filter(
    (transfer) => CreatedAt.matches(plan.filter, transfer.created_at) && filter.keeps(transfer),
  )
  if (output === "json") {
    return yield* screen.print(`${JSON.stringify({ results, page_info: page.page_info }, undefined, 2)}\n`)
  }
  const { has_next_page, end_cursor } = page.page_info
  const nothing = has_next_page ? "No transfers on this page match." : noMatch
  yield* printAll(Stream.succeed(results), { output, csvRaw: input.csv_raw, nothing })
  if (has_next_page && filter.isPartial) {
    yield* screen.note(`The service cannot filter by ${partsOf(input)}: this page was read, and filtered here.\n`)
  }
  if (has_next_page && end_cursor !== undefined) {
    yield* screen.note(`More pages follow: add --all, or --after-cursor ${shellWord(end_cursor)} for the next page.\n`)
  }
})

/** Reads on until as many transfers match as fit a page, because the service cannot look for them. */
const firstMatches = Effect.fnUntraced(function* (
  filter: TransferFilter.TransferFilter,
  input: Input,
  { output, isQuiet }: { readonly output: Output; readonly isQuiet: boolean },
) {
  const screen = yield* Screen
  const found = yield* Effect.scoped(
    Effect.gen(function* () {
      const pager = yield* TransferPager
      const show = yield* isQuiet ? Progress.none : Progress.make({ rows: 0, fraction: undefined })
      let rows = 0
      return yield* pager.pages(filter.query).pipe(
        Stream.tap((page) => {
          rows += page.length
          return show(() => ({ rows, fraction: undefined }))
        }),
        Stream.flatMap((page) => Stream.fromIterable(page)),
        Stream.filter(filter.keeps),
        Stream.take(input.limit),
        Stream.runCollect,
      )
    }),
  )
  yield* printAll(Stream.succeed(found), { output, csvRaw: input.csv_raw, nothing: noMatch })
  if (found.length === input.limit) {
    yield* screen.note(`These are the first ${input.limit} that match: add --all for all of them.\n`)
  }
})

const allPages = Effect.fnUntraced(function* (filter: TransferFilter.TransferFilter, input: Input, output: Output) {
  const pager = yield* TransferPager
  if (input.after_cursor !== undefined) {
    return yield* new UsageError({
      message: "--all starts at the first page, --after-cursor at another: give one of them.",
    })
  }
  const batches = pager
    .pages(filter.query, { limit: input.limit })
    .pipe(Stream.map((transfers) => transfers.filter(filter.keeps)))
  yield* printAll(batches, { output, csvRaw: input.csv_raw, nothing: noMatch })
})

const noMatch = "No transfers match."

const ownFilters = ["stuck", "status", "kind", "currency", "payment_method"] as const

const partsOf = (input: Input): string =>
  ownFilters
    .filter((name) => (input[name] ?? "").length > 0)
    .map((name) => `--${name.replace("_", "-")}`)
    .join(" or ")

interface Printing {
  readonly output: Output
  readonly csvRaw: boolean
  /** The message if there is nothing to print. */
  readonly nothing: string
}

/** Prints batches as they arrive, so that memory is bounded and output starts at once. */
const printAll = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  { output, csvRaw, nothing }: Printing,
) {
  const screen = yield* Screen
  const filled = batches.pipe(Stream.filter((batch) => batch.length > 0))
  if (output === "table") return yield* printTable(filled, nothing)
  const encoder = TransferEncoder.make(output, { csvRaw })
  let isFirst = true
  const printed = Stream.runForEach(filled, (batch) => {
    const text = `${isFirst ? encoder.open : ""}${encoder.batch(batch, isFirst)}`
    isFirst = false
    return screen.print(text)
  })
  // A document that was begun is closed even after an error, so that it can be parsed.
  yield* Effect.onError(printed, () => (isFirst ? Effect.void : Effect.ignore(screen.print(encoder.truncated))))
  yield* screen.print(`${isFirst ? encoder.open : ""}${encoder.close}`)
})

/**
 * A batch decides the widths of the columns, so that it is printed while the next one is read. If a later batch has an
 * amount that does not fit, the table begins anew.
 */
const printTable = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  nothing: string,
) {
  const screen = yield* Screen
  const style = Style.make(screen.stdout)
  const width = screen.stdout.columns
  let layout: Table.Layout | undefined
  const hidden = new Set<string>()
  yield* Stream.runForEach(batches, (batch) => {
    const rows = batch.map(TransferTable.toTerminalCells)
    const columns = TransferTable.onTerminal(style)
    const before = layout
    const fitted =
      before !== undefined && (before.isTooWide || Table.fits(before, rows))
        ? before
        : Table.layout(columns, rows, width)
    layout = fitted
    if (!fitted.isTooWide) for (const header of fitted.hidden) hidden.add(header)
    const [isNew, gap] = [fitted !== before, before === undefined ? "" : "\n"]
    if (fitted.isTooWide) {
      return screen.draw(`${gap}${Table.stacked(columns, rows, { width, heading: style.quiet })}`)
    }
    const lines = rows.map((row) => Table.line(fitted, row))
    return screen.draw(
      [...(isNew ? [gap + Table.header(fitted, style.quiet)] : []), ...lines].map((line) => `${line}\n`).join(""),
    )
  })
  yield* screen.note(layout === undefined ? `${nothing}\n` : Table.remark({ hidden: [...hidden], isTooWide: false }))
})
