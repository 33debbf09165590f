/** `transfers summary` */
import * as Summary from "@transferkit/domain/Summary"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { filterFlags } from "../filter/FilterFlags.ts"
import { lazily, toggle } from "../Globals.ts"

const list = (values: ReadonlyArray<string>): string => values.join(", ")

export const summary = Command.make(
  "summary",
  {
    ...filterFlags,
    by: Flag.String("by").pipe(
      Flag.withDefault("currency"),
      Flag.withMetavar("LIST"),
      Flag.withDescription(`Group by these, with commas: ${list(Summary.dimensions)} (default currency)`),
    ),
    field: Flag.String("field").pipe(
      Flag.withDefault("source_total,destination_total,service_fee"),
      Flag.withMetavar("LIST"),
      Flag.withDescription("Total these fields, with commas, or all"),
    ),
    chart: toggle("chart").pipe(Flag.withDescription("Draw the first field's totals as bars, currency by currency")),
  },
  lazily(() => import("../actions/Summary.ts")),
).pipe(
  Command.withDescription("Total transfers exactly, by currency, day, status and more."),
  Command.withExamples([
    { command: "transfers summary --since 2024-09 --until 2024-09", description: "A month by currency" },
    { command: "transfers summary --by day,status --since 7d", description: "The last week, day by day" },
    { command: "transfers summary --by month --chart --field source_total", description: "A picture of the year" },
  ]),
)
