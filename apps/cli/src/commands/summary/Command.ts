/** `transfers summary` */
import * as FieldNames from "@transferkit/domain/FieldNames"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { csvDialect, requiredText, text, toggle } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

const list = (values: ReadonlyArray<string>): string => values.join(", ")

export const summary = Command.make(
  "summary",
  {
    ...filterFlags,
    by: Flag.withDefault(
      requiredText(
        "by",
        "LIST",
        `Comma-separated dimensions to group by: ${list(FieldNames.dimensions)} (default currency)`,
      ),
      "currency",
    ),
    field: text(
      "field",
      "LIST",
      `Comma-separated amounts to total: ${list(FieldNames.moneyFields)}; or all (default ${FieldNames.usualFields.join(",")}; in JSON, all)`,
    ),
    csv_dialect: csvDialect,
    chart: toggle("chart", "Draw the totals of the first field as bars, per currency"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  // Before the layer is built: it may ask for settings, or read a secret from standard input.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Total transfers exactly, by currency, day, status and more."),
  Command.withExamples([
    { command: "transfers summary --since 2024-09 --until 2024-09", description: "A month, by currency" },
    { command: "transfers summary --by day,status --since 7d", description: "The last week, by day" },
    {
      command: "transfers summary --since 2024 --until 2024 --by quarter --time-zone Europe/Berlin",
      description: "The quarters of a year, by the clocks of Berlin",
    },
    {
      command: "transfers summary --since 2024 --until 2024 --by month --field source_total --chart",
      description: "A chart of a year",
    },
  ]),
)
