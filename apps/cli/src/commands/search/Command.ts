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
    all: toggle("all").pipe(Flag.withDescription("All pages, not only one")),
    limit: wholeNumber("limit", 1, SearchRequest.maxLimit).pipe(
      Flag.withDefault(SearchRequest.maxLimit),
      Flag.withMetavar("N"),
      Flag.withDescription("Transfers to a page, 1 to 20 (default 20)"),
    ),
    after_cursor: optional(
      Flag.String("after-cursor").pipe(
        Flag.withMetavar("CURSOR"),
        Flag.withDescription("Where the page starts: the end_cursor of the page before"),
      ),
    ),
    csv_raw: toggle("csv-raw").pipe(Flag.withDescription("Leave CSV cells that look like formulas as they are")),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Search transfers: one page, or all of them."),
  Command.withExamples([
    { command: "transfers search --external-id order-1001", description: "Look one transfer up" },
    { command: "transfers search --since 2024-09 --until 2024-09 --all", description: "All of September 2024, in UTC" },
    {
      command: "transfers search --since 24h --status executing --all --output ndjson | jq -r .id",
      description: "What is still moving",
    },
  ]),
)
