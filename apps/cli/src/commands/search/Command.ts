/** `transfers search` */
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { lazily, optional, toggle, wholeNumber } from "../../flags/GlobalFlags.ts"

export const search = Command.make(
  "search",
  {
    ...filterFlags,
    all: toggle("all").pipe(Flag.withDescription("Print all pages, not only one")),
    limit: wholeNumber("limit", 1, SearchRequest.maxLimit).pipe(
      Flag.withDefault(SearchRequest.maxLimit),
      Flag.withMetavar("N"),
      Flag.withDescription("Page size, 1 to 20 (default 20)"),
    ),
    after_cursor: optional(
      Flag.String("after-cursor").pipe(
        Flag.withMetavar("CURSOR"),
        Flag.withDescription("Start after this cursor: the end_cursor of the previous page"),
      ),
    ),
    csv_raw: toggle("csv-raw").pipe(Flag.withDescription("Do not escape CSV cells that look like formulas")),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Search transfers: one page, or all pages."),
  Command.withExamples([
    { command: "transfers search --external-id order-1001", description: "Look one transfer up" },
    { command: "transfers search --since 2024-09 --until 2024-09 --all", description: "All of September 2024, in UTC" },
    {
      command: "transfers search --since 24h --status executing --all --output ndjson | jq -r .id",
      description: "Transfers still in progress",
    },
  ]),
)
