/** Runs `transfers search`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { Dialect } from "@transferkit/domain/Dialect"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import type * as Csv from "@transferkit/files/formats/Csv"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { now } from "../../filter/Now.ts"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Listing from "../../output/Listing.ts"
import * as Projection from "../../output/Projection.ts"
import * as Report from "../../output/Report.ts"
import * as TransferPrinter from "../../output/TransferPrinter.ts"
import { shellWord } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"

/** The flags of the command. */
export interface Input extends TransferFilter.FilterFlags, Listing.ListingFlags, Projection.ProjectionFlags {
  readonly id: string | undefined
  readonly all: boolean
  readonly limit: number
  readonly after_cursor: string | undefined
  readonly csv_dialect: Csv.Dialect | undefined
  readonly csv_raw: boolean
}

export const run = Effect.fn("transfers search")(
  function* (given: Input, globals: Globals) {
    if (given.id !== undefined && given.external_id !== undefined) {
      return yield* new UsageError({ message: "Give the external_id as an argument or with --external-id, not both." })
    }
    const input = { ...given, external_id: given.external_id ?? given.id }
    const filter = yield* Effect.fromResult(TransferFilter.parse(input, yield* now))
    const listing = yield* Effect.fromResult(Listing.parse(input))
    const projection = yield* Effect.fromResult(
      Projection.parse(input, { output: globals.output, columns: input.columns, known: TransferPrinter.fieldNames }),
    )
    const output = yield* Report.outputOf(globals, "ndjson")
    const printing = {
      output,
      projection,
      columns: listing.columns,
      timeZone: filter.timeZone,
      csvDialect: input.csv_dialect,
      csvRaw: input.csv_raw,
    }
    yield* input.all ? allPages(filter, input, listing, printing) : onePage(filter, input, listing, printing)
  },
  (effect, _input, globals) => Effect.provide(effect, Layers.service(globals)),
)

type Printing = Omit<TransferPrinter.Printing, "nothing">

const onePage = Effect.fnUntraced(function* (
  filter: TransferFilter.TransferFilter,
  input: Input,
  listing: Listing.Listing,
  printing: Printing,
) {
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
  const kept = page.results.filter(
    (transfer) => CreatedAt.matches(plan.filter, transfer.created_at) && filter.keeps(transfer),
  )
  const results = Listing.sorted(listing, kept)
  const { columns } = listing
  if (printing.output === "json" && printing.projection === undefined) {
    const shown =
      columns === undefined ? results : results.map((transfer) => TransferColumns.toRecord(transfer, columns))
    return yield* screen.print(`${JSON.stringify({ results: shown, page_info: page.page_info }, undefined, 2)}\n`)
  }
  const { has_next_page, end_cursor } = page.page_info
  const nothing = `${has_next_page ? "No transfers on this page match." : noMatch}${hintOf(input)}`
  yield* TransferPrinter.print(Stream.succeed(results), { ...printing, nothing })
  if (has_next_page && filter.isPartial) {
    yield* screen.note(
      `The service cannot filter by ${partsOf(input)}: this page was read, and filtered here.${results.length > 0 ? hintOf(input) : ""}\n`,
    )
  }
  if (has_next_page && end_cursor !== undefined) {
    const only = listing.sort.length > 0 ? "Only this page is sorted. " : ""
    yield* screen.note(
      `${only}More pages follow: add --all, or --after-cursor ${shellWord(end_cursor)} for the next page.\n`,
    )
  }
})

const allPages = Effect.fnUntraced(function* (
  filter: TransferFilter.TransferFilter,
  input: Input,
  listing: Listing.Listing,
  printing: Printing,
) {
  const pager = yield* TransferPager
  if (input.after_cursor !== undefined) {
    return yield* new UsageError({
      message: "--all starts at the first page, --after-cursor at another: give one of them.",
    })
  }
  const batches = pager
    .pages(filter.query, { limit: input.limit })
    .pipe(Stream.map((transfers) => transfers.filter(filter.keeps)))
  yield* TransferPrinter.print(inOrder(listing, batches), { ...printing, nothing: `${noMatch}${hintOf(input)}` })
})

/** Only sorting needs all of them in memory. */
const inOrder = <E, R>(
  listing: Listing.Listing,
  batches: Stream.Stream<ReadonlyArray<Transfer.Transfer>, E, R>,
): Stream.Stream<ReadonlyArray<Transfer.Transfer>, E, R> =>
  listing.sort.length === 0
    ? batches
    : Stream.fromIterableEffect(
        Effect.map(Stream.runCollect(batches), (all) => Arr.chunksOf(Listing.sorted(listing, all.flat()), 5000)),
      )

const noMatch = "No transfers match."

const ownFilters = ["status", "kind", "currency", "payment_method"] as const

const partsOf = (input: Input): string =>
  ownFilters
    .filter((name) => input[name].length > 0)
    .map((name) => `--${name.replace("_", "-")}`)
    .join(" or ")

/** Values that no service is known to have, most likely misspelt. */
const hintOf = ({ status, kind }: Input): string =>
  [[status, "status", Transfer.knownStatuses] as const, [kind, "kind", Transfer.knownKinds] as const]
    .flatMap(([given, what, known]) =>
      TransferFilter.valuesOf(given)
        .filter((value) => !known.some((name) => name === value.toLowerCase()))
        .map((value) => ` ${JSON.stringify(value)} is not a known ${what}: ${known.join(", ")}.`),
    )
    .join("")
