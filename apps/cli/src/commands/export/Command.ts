/** `transfers export` */
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as Command from "effect/cli/Command"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { choice, concurrency, csvDialect, csvRaw, optional, requiredText, toggle } from "../../flags/Flags.ts"
import { columns } from "../../flags/ListingFlags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const exportTransfers = Command.make(
  "export",
  {
    ...filterFlags,
    out: requiredText(
      "out",
      "FILE",
      "The file to write (required); it appears once it is complete. - is standard output",
    ),
    format: optional(
      choice("format", "FORMAT", TransferFormat.exportFormats, "Format, by default from the file's name"),
    ),
    concurrency,
    resume: toggle("resume", "Resume an interrupted export"),
    create_table: toggle("create-table", "Also write FILE.sql, a CREATE TABLE for DuckDB and PostgreSQL"),
    force: toggle("force", "Replace an existing file"),
    columns,
    amounts: optional(choice("amounts", "FORM", TransferFormat.amountForms, "Amounts in Parquet, by default decimal")),
    csv_dialect: csvDialect,
    csv_raw: csvRaw,
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.transfers),
  // Before the layer is built: it may ask for settings, or read a secret from standard input.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Export all transfers of a range to a file."),
  Command.withExamples([
    { command: "transfers export --since 2024-09 --until 2024-09 --out september.csv", description: "A month as CSV" },
    { command: "transfers export --out all.ndjson", description: "The whole history" },
    { command: "transfers export --status complete --out complete.json", description: "Only complete transfers" },
    {
      command: "transfers export --since 24h --out - --format csv --quiet | gzip > day.csv.gz",
      description: "To another program, once it is complete",
    },
  ]),
)
