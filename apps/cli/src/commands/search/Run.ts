/** Runs `transfers search`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { Dialect } from "@transferkit/domain/Dialect"
import { IdSet } from "@transferkit/domain/IdSet"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type * as TransferFilter from "@transferkit/domain/TransferFilter"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { TransferSource } from "@transferkit/domain/TransferSource"
import type * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Listing from "../../output/Listing.ts"
import * as Projection from "../../output/Projection.ts"
import * as Report from "../../output/Report.ts"
import * as TransferPrinter from "../../output/TransferPrinter.ts"
import * as Progress from "../../progress/Progress.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"

/** The flags of the command. */
export interface Input extends FilterFlags, Listing.ListingFlags, Projection.ProjectionFlags {
  readonly id: string | undefined
  readonly all: boolean
  readonly limit: number
  readonly page: number
  readonly after_cursor: string | undefined
  readonly csv_dialect: CsvDialect.CsvDialect | undefined
  readonly csv_raw: boolean
}

/** Rejects flags that contradict each other or cannot be read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  if (input.id !== undefined && input.external_id !== undefined) {
    return yield* new UsageError({ message: "Give the external_id as an argument or with --external-id, not both." })
  }
  if (input.all && input.after_cursor !== undefined) {
    return yield* new UsageError({
      message: "--all starts at the first page, --after-cursor at another: give one of them.",
    })
  }
  if (input.page > 1 && (input.all || input.after_cursor !== undefined)) {
    return yield* new UsageError({ message: "--page counts from the first page: remove --all and --after-cursor." })
  }
  yield* GivenFilter.parse(input)
  const { output } = yield* Globals
  return {
    listing: yield* Effect.fromResult(Listing.parse(input)),
    projection: yield* Effect.fromResult(
      Projection.parse(input, { output, columns: input.columns, known: TransferPrinter.fieldNames }),
    ),
  }
})

export const run = Effect.fn("transfers search")(function* (given: Input) {
  const { listing, projection } = yield* check(given)
  const input = { ...given, external_id: given.external_id ?? given.id }
  const filter = yield* GivenFilter.read(input)
  const { question } = filter
  yield* Source.ask(question, [])
  // Who names a key asks for it at any time.
  if (input.external_id !== undefined && question.period === undefined && question.within === undefined) {
    yield* Source.warnOf(yield* TransferSource, { ...question, period: CreatedAt.all, final: undefined })
  }
  const output = yield* Report.outputOf("ndjson")
  const printing = {
    output,
    projection,
    columns: listing.columns,
    timeZone: filter.timeZone,
    csvDialect: input.csv_dialect,
    csvRaw: input.csv_raw,
  }
  if (input.all) return yield* allPages({ filter, input, listing, printing })
  // A reader of JSON has the cursor of the next page, and one who gives a cursor wants the page after it.
  if (!filter.isPartial || output === "json" || input.after_cursor !== undefined) {
    return yield* onePage({ filter, input, listing, printing })
  }
  const found = yield* matchesOfPage(filter, input)
  yield* TransferPrinter.print(Stream.succeed(Listing.sorted(listing, found)), {
    ...printing,
    nothing: noMatch(input),
  })
  if (found.length === input.limit) {
    const screen = yield* Screen
    const only = listing.sort.length > 0 ? "Only these are sorted. " : ""
    yield* screen.note(`${only}More may match: add --page ${input.page + 1} for the next ones, or --all.\n`)
  }
})

/** What is read, and how it is shown. */
interface Search {
  readonly filter: TransferFilter.TransferFilter
  readonly input: Input
  readonly listing: Listing.Listing
  readonly printing: Omit<TransferPrinter.Printing, "nothing">
}

const onePage = Effect.fnUntraced(function* ({ filter, input, listing, printing }: Search) {
  const screen = yield* Screen
  const api = yield* TransferApi
  const plan = CreatedAt.plan(filter.query.created_at ?? CreatedAt.all, yield* Dialect)
  const [request] = plan.requests
  const { external_id } = filter.query
  const pageAfter = (after_cursor: string | undefined) =>
    api.search({
      ...(external_id === undefined ? {} : { external_id }),
      ...(request === undefined || request.created_at.length === 0 ? {} : { created_at: request.created_at }),
      limit: input.limit,
      ...(after_cursor === undefined ? {} : { after_cursor }),
    })
  let page = yield* pageAfter(input.after_cursor)
  for (let number = 1; number < input.page; number++) {
    const { has_next_page: hasNext, end_cursor: cursor } = page.page_info
    if (!hasNext || cursor === undefined) return yield* screen.note(`The last page is ${number}.\n`)
    page = yield* pageAfter(cursor)
  }
  // The pager has these guards. Without them, a service that matches a part of an external_id, or that lists a transfer
  // twice, would decide what is shown.
  const isAskedFor = (transfer: Transfer): boolean =>
    (external_id === undefined || transfer.external_id === external_id) &&
    CreatedAt.matches(plan.filter, transfer.created_at)
  const seen = new IdSet()
  const kept = page.results.filter((one) => isAskedFor(one) && seen.add(one.id) && filter.keeps(one))
  const results = Listing.sorted(listing, kept)
  const { columns } = listing
  if (printing.output === "json" && printing.projection === undefined) {
    const shown =
      columns === undefined ? results : results.map((transfer) => TransferColumns.toRecord(transfer, columns))
    return yield* screen.print(`${JSON.stringify({ results: shown, page_info: page.page_info }, undefined, 2)}\n`)
  }
  const { has_next_page, end_cursor } = page.page_info
  const nothing = has_next_page ? "No transfers on this page match." : noMatch(input)
  yield* TransferPrinter.print(Stream.succeed(results), { ...printing, nothing })
  if (has_next_page && filter.isPartial) {
    yield* screen.note(`The service cannot filter by ${partsOf(input)}: this page was read, and filtered here.\n`)
  }
  if (has_next_page && end_cursor !== undefined) {
    const only = listing.sort.length > 0 ? "Only this page is sorted. " : ""
    // A cursor is long, and only a document has a place for it.
    const next =
      input.after_cursor === undefined
        ? `--page ${input.page + 1} for the next one`
        : "--output json for the cursor of the next one"
    // What prints nothing may not look as if there were nothing, even with --quiet.
    const say = results.length === 0 ? screen.warn : screen.note
    yield* say(`${only}More pages follow: add ${next}, or --all.\n`)
  }
})

/** Reads on until enough transfers match, because the service cannot look for them. */
const matchesOfPage = Effect.fnUntraced(function* (
  filter: TransferFilter.TransferFilter,
  { limit, page: number }: Input,
) {
  const pager = yield* TransferPager
  const show = yield* Progress.forPeople({ rows: 0, fraction: undefined })
  let rows = 0
  return yield* pager.pages(filter.query).pipe(
    Stream.tap((page) => {
      rows += page.length
      return show(() => ({ rows, fraction: undefined }))
    }),
    Stream.flatMap((page) => Stream.fromIterable(page)),
    Stream.filter(filter.keeps),
    Stream.drop(limit * (number - 1)),
    Stream.take(limit),
    Stream.runCollect,
  )
}, Effect.scoped)

const allPages = Effect.fnUntraced(function* ({ filter, input, listing, printing }: Search) {
  const pager = yield* TransferPager
  const batches = pager
    .pages(filter.query, { limit: input.limit })
    .pipe(Stream.map((transfers) => transfers.filter(filter.keeps)))
  yield* TransferPrinter.print(inOrder(listing, batches), { ...printing, nothing: noMatch(input) })
})

/** Only sorting needs all of them in memory. */
const inOrder = <E, R>(
  listing: Listing.Listing,
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
): Stream.Stream<ReadonlyArray<Transfer>, E, R> =>
  listing.sort.length === 0
    ? batches
    : Stream.fromIterableEffect(
        Effect.map(Stream.runCollect(batches), (all) => Arr.chunksOf(Listing.sorted(listing, all.flat()), 5000)),
      )

/** The argument may be an id; the service cannot search by id. */
const noMatch = ({ id }: Input): string =>
  id === undefined
    ? "No transfers match."
    : "No transfer has this external_id. If it is an id, find it in a mirror or an export: transfers show ID --from SOURCE."

const ownFilters = ["stuck", "status", "kind", "currency", "payment_method"] as const

const partsOf = (input: Input): string =>
  ownFilters
    .filter((name) => (input[name] ?? "").length > 0)
    .map((name) => `--${name.replace("_", "-")}`)
    .join(" or ")
