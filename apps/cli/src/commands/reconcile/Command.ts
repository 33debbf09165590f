/** `transfers reconcile` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { text, toggle } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"
import * as Flags from "./Flags.ts"

export const reconcile = Command.make(
  "reconcile",
  {
    ledger: Argument.String("ledger").pipe(
      Argument.withDescription(
        "The ledger: CSV, Excel (.xlsx), camt.053, MT940, OFX or BAI2; - is standard input; or several",
      ),
      Argument.atLeast(1),
    ),
    ...filterFlags,
    ...Flags.flags,
    write_accepted: text("write-accepted", "FILE", "Write the breaks as a draft for --accepted"),
    matched: toggle("matched", "Also list matches"),
    html: text("html", "FILE", "Also write an HTML page with charts of the differences"),
    junit: text("junit", "FILE", "Also write JUnit XML, one failure per break"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Match a ledger with the transfers: missing entries and differences."),
  Command.withExamples([
    {
      command: "transfers reconcile ledger.csv --since 2024-09 --until 2024-09",
      description: "September; exit code 1 on breaks",
    },
    {
      command: "transfers reconcile book.csv --map key=Order --map amount=Gross --ledger-currency fiat/EUR",
      description: "A ledger with its own column names",
    },
    {
      command: "transfers reconcile ledger.csv --since 2024-09 --until 2024-09 --map date=Day --grace 3",
      description: "Three days may pass between a booking and its transfer",
    },
    {
      command: "transfers reconcile statement.xml --map key=Ustrd --since 2024-09-30",
      description: "A bank statement (camt.053), matched by its remittance text",
    },
    {
      command: "transfers reconcile bank.csv --map key=Reference --map in=Credit --map out=Debit --ledger-currency GBP",
      description: "Money in and out in two columns; a wrong side is never assumed",
    },
    {
      command: "transfers reconcile - --ledger-profile sparkasse --since 2024-09 --until 2024-09 < umsaetze.csv",
      description: "An export that many have, from standard input",
    },
    {
      command: "transfers reconcile ledger.csv --from september.parquet --html report.html --junit report.xml",
      description: "Without the service, with reports to share",
    },
  ]),
)
