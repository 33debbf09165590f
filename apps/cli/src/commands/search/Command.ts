/** `transfers search` */
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Option from "effect/Option"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { csvDialect, csvRaw, identifier, text, toggle, wholeNumber } from "../../flags/Flags.ts"
import { listingFlags, projectionFlags } from "../../flags/ListingFlags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const search = Command.make(
  "search",
  {
    id: identifier("An external_id, as with --external-id").pipe(
      Argument.optional,
      Argument.map(Option.getOrUndefined),
    ),
    ...filterFlags,
    all: toggle("all", "Print all that match"),
    limit: wholeNumber("limit", "N", "Print at most this many without --all, 1 to 20 (default 20)", {
      from: 1,
      to: SearchRequest.maxLimit,
      otherwise: SearchRequest.maxLimit,
    }),
    page: wholeNumber("page", "N", "Print this page of them without --all (default 1)", {
      from: 1,
      to: 1_000_000,
      otherwise: 1,
    }),
    after_cursor: text("after-cursor", "CURSOR", "Start after this cursor: the end_cursor of the previous page"),
    ...listingFlags,
    ...projectionFlags,
    csv_dialect: csvDialect,
    csv_raw: csvRaw,
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.transfers),
  // Before the layer is built: it may ask for settings, or read a secret from standard input.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Search transfers: the first 20 that match, or all."),
  Command.withExamples([
    { command: "transfers search --external-id order-1001", description: "Look one transfer up" },
    { command: "transfers search --since 2024-09 --until 2024-09 --all", description: "All of September 2024, in UTC" },
    { command: "transfers search --stuck 24h --all", description: "Not complete or declined a day after creation" },
    {
      command:
        "transfers search --all --columns id,source_total_amount,source_total_currency_code --sort -source_total_amount",
      description: "The largest transfers first, in three columns",
    },
    {
      command: "transfers search --since 24h --status executing --all --jq '.[].id'",
      description: "Transfers still in progress",
    },
  ]),
)
