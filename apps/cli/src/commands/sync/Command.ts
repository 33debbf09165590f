/** `transfers sync` */
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as Command from "effect/cli/Command"
import { choice, interval, lookBack, optional, rateLimit, serve, text, toggle, wholeNumber } from "../../flags/Flags.ts"
import { lazily } from "../../Lazy.ts"

export const sync = Command.make(
  "sync",
  {
    to: text(
      "to",
      "MIRROR",
      "The mirror: a file such as transfers.db, or postgres://USER@HOST/DATABASE [TRANSFERS_MIRROR]",
    ),
    follow: toggle("follow", "Repeat until interrupted, and survive outages"),
    interval: interval("With --follow: time between two passes", 60),
    look_back: lookBack(
      "later ones are found by --verify (default 3600, and more once transfers were seen to appear later)",
      undefined,
    ),
    verify_budget: wholeNumber(
      "verify-budget",
      "N",
      "Requests of each pass that read old history again (default: as many as read all of it within 25 days, at most 100 an hour)",
      { from: 0, to: 1_000_000, otherwise: undefined },
    ),
    concurrency: wholeNumber(
      "concurrency",
      "N",
      "Pages to request at once, 1 to 64 (default 16 in a first load of one process, 8 in passes and in each worker)",
      { from: 1, to: 64, otherwise: undefined },
    ),
    workers: wholeNumber("workers", "N", "Spread a first load over N processes, 1 to 16; transfers worker joins more", {
      from: 1,
      to: 16,
      otherwise: 0,
    }),
    rate_limit: rateLimit,
    status: toggle("status", "Show how fresh the mirror is, and the workers of a first load, and exit"),
    verify: toggle("verify", "Then read everything again, repair what differs, and exit with code 1 if something did"),
    allow_vanished: wholeNumber(
      "allow-vanished",
      "N",
      "Accept once, in the first pass, that up to N transfers have vanished, where so many missing ones would stop the sync",
      { from: 0, to: 1_000_000_000, otherwise: 0 },
    ),
    wait: toggle("wait", "Wait while another process syncs the mirror"),
    metrics: serve("With --follow: serve /metrics and /healthz"),
    dataset: text(
      "dataset",
      "FOLDER",
      "Keep a folder of Parquet files for warehouses, one for each month, with a manifest that names them",
    ),
    amounts: optional(
      choice("amounts", "FORM", TransferFormat.amountForms, "With --dataset: amounts, by default decimal"),
    ),
    exec: text("exec", "COMMAND", "Run this for each change, with its JSON on standard input, and again if it fails"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Keep a copy of all transfers in SQL, with the history of their changes."),
  Command.withExamples([
    { command: "transfers sync --to transfers.db", description: "Load or update a SQLite mirror" },
    {
      command: "transfers sync --to postgres://finance@db.example/transfers --follow --output ndjson",
      description: "Keep a PostgreSQL mirror current, and print what changes",
    },
    {
      command: "transfers sync --to transfers.db --profile shop --profile wallet",
      description: "Two partners in one mirror",
    },
    {
      command: "transfers sync --to transfers.db --dataset warehouse",
      description: "Month files of Parquet for DuckDB, BigQuery and Snowflake",
    },
    { command: "transfers sync --to transfers.db --workers 4", description: "Load a long history with four processes" },
    { command: "transfers sync --to transfers.db --status", description: "How fresh the mirror is, as a number" },
    { command: "transfers sync --to transfers.db --verify", description: "Compare the whole mirror with the service" },
  ]),
)
