/** `transfers reconcile` */
import { keyFields } from "@transferkit/domain/Reconciliation"
import { moneyFields } from "@transferkit/domain/Transfer"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { lazily, optional, toggle } from "../../flags/GlobalFlags.ts"

const file = (name: string, description: string) =>
  optional(Flag.String(name).pipe(Flag.withMetavar("FILE"), Flag.withDescription(description)))

export const reconcile = Command.make(
  "reconcile",
  {
    ledger: Argument.String("ledger").pipe(Argument.withDescription("The ledger: a CSV file with a header")),
    ...filterFlags,
    transfers: file("transfers", "Read the transfers from an export instead of the service"),
    map: Flag.String("map").pipe(
      Flag.atLeast(0),
      Flag.withMetavar("PART=COLUMN"),
      Flag.withDescription("The column of key, amount, currency or status; repeatable"),
    ),
    delimiter: optional(
      Flag.String("delimiter").pipe(
        Flag.withMetavar("CHAR"),
        Flag.withDescription("Cell delimiter (default: detected)"),
      ),
    ),
    ledger_currency: optional(
      Flag.String("ledger-currency").pipe(
        Flag.withMetavar("CODE"),
        Flag.withDescription("The currency of a ledger without a currency column"),
      ),
    ),
    key: Flag.Literals("key", keyFields).pipe(
      Flag.withDefault("external_id" as const),
      Flag.withMetavar("FIELD"),
      Flag.withDescription(`The transfer field to match with the key: ${keyFields.join(", ")} (default external_id)`),
    ),
    amount: Flag.Literals("amount", moneyFields).pipe(
      Flag.withDefault("source_total" as const),
      Flag.withMetavar("FIELD"),
      Flag.withDescription(`The transfer amount to compare: ${moneyFields.join(", ")} (default source_total)`),
    ),
    tolerance: Flag.String("tolerance").pipe(
      Flag.atLeast(0),
      Flag.withMetavar("MONEY"),
      Flag.withDescription("Accept differences up to this, such as 0.01:fiat/USD; repeatable"),
    ),
    matched: toggle("matched").pipe(Flag.withDescription("Also list matches")),
    html: file("html", "Also write an HTML page with charts of the differences"),
    junit: file("junit", "Also write JUnit XML, one failure per break"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
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
      command: "transfers reconcile ledger.csv --transfers september.parquet --html report.html --junit report.xml",
      description: "Without the service, with reports to share",
    },
  ]),
)
