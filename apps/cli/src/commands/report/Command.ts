/** `transfers report` */
import * as Command from "effect/cli/Command"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { fees, requiredText, text, texts } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"
import * as Flags from "../reconcile/Flags.ts"

const { since, until, time_zone } = filterFlags

export const report = Command.make(
  "report",
  {
    month: text("month", "MONTH", "The month to report on, such as 2024-09; or give --since and --until"),
    since,
    until,
    time_zone,
    html: requiredText("html", "FILE", "The page to write (required)"),
    fees,
    ledger: texts("ledger", "FILE", "Also reconcile them with this ledger; repeatable"),
    ...Flags.flags,
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Write a month as a page: volumes, fees, open transfers, findings."),
  Command.withExamples([
    {
      command: "transfers report --month 2024-09 --html september.html",
      description: "A month; exit code 1 on findings",
    },
    {
      command: "transfers report --month 2024-09 --from transfers.db --ledger ledger.csv --html september.html",
      description: "From a mirror, reconciled with a ledger",
    },
    {
      command: "transfers report --since 2024-07 --until 2024-09 --html quarter.html --output json > quarter.json",
      description: "A quarter, its figures as JSON too",
    },
  ]),
)
