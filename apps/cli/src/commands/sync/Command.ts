/** `transfers sync` */
import * as Command from "effect/cli/Command"
import { concurrency, interval, lookBack, rateLimit, text, toggle, wholeNumber } from "../../flags/Flags.ts"
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
    look_back: lookBack("later ones are found by --verify"),
    concurrency,
    workers: wholeNumber("workers", "N", "Spread a first load over N processes, 1 to 16; transfers worker joins more", {
      from: 1,
      to: 16,
      otherwise: 0,
    }),
    rate_limit: rateLimit,
    status: toggle("status", "Show the workers and windows of a first load, and exit"),
    verify: toggle("verify", "Then read everything again, repair what differs, and exit with code 1 if something did"),
    allow_vanished: wholeNumber(
      "allow-vanished",
      "N",
      "Believe once that up to N transfers have vanished, where so many missing ones would stop the sync",
      { from: 0, to: 1_000_000_000, otherwise: 0 },
    ),
    wait: toggle("wait", "Wait while another process syncs the mirror"),
    metrics: text("metrics", "PORT", "With --follow: serve /metrics and /healthz there; HOST:PORT lets others ask"),
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
    { command: "transfers sync --to transfers.db --workers 4", description: "Load a long history with four processes" },
    { command: "transfers sync --to transfers.db --verify", description: "Compare the whole mirror with the service" },
  ]),
)
