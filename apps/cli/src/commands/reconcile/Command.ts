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
    ledger: Argument.String("ledger").pipe(Argument.withDescription("The ledger as CSV, with a header")),
    ...filterFlags,
    transfers: file("transfers", "Use an export rather than asking the service"),
    map: Flag.String("map").pipe(
      Flag.atLeast(0),
      Flag.withMetavar("PART=COLUMN"),
      Flag.withDescription("The column for key, amount, currency or status; repeatable"),
    ),
    delimiter: optional(
      Flag.String("delimiter").pipe(
        Flag.withMetavar("CHAR"),
        Flag.withDescription("Between cells; found out by default"),
      ),
    ),
    ledger_currency: optional(
      Flag.String("ledger-currency").pipe(
        Flag.withMetavar("CODE"),
        Flag.withDescription("The currency of a ledger that has no column for it"),
      ),
    ),
    key: Flag.Literals("key", keyFields).pipe(
      Flag.withDefault("external_id" as const),
      Flag.withMetavar("FIELD"),
      Flag.withDescription(`The transfer's field that holds the key: ${keyFields.join(", ")} (default external_id)`),
    ),
    amount: Flag.Literals("amount", moneyFields).pipe(
      Flag.withDefault("source_total" as const),
      Flag.withMetavar("FIELD"),
      Flag.withDescription(`The transfer's amount to compare: ${moneyFields.join(", ")} (default source_total)`),
    ),
    tolerance: Flag.String("tolerance").pipe(
      Flag.atLeast(0),
      Flag.withMetavar("MONEY"),
      Flag.withDescription("Let this much pass, such as 0.01:fiat/USD; repeatable"),
    ),
    matched: toggle("matched").pipe(Flag.withDescription("List what matches too")),
    html: file("html", "Write a page with a picture of the differences"),
    junit: file("junit", "Write JUnit XML, a failure for each break"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Match a ledger with the transfers: what is missing, and what differs."),
  Command.withExamples([
    {
      command: "transfers reconcile ledger.csv --since 2024-09 --until 2024-09",
      description: "September; exit code 1 on breaks",
    },
    {
      command: "transfers reconcile book.csv --map key=Order --map amount=Gross --ledger-currency fiat/EUR",
      description: "A ledger with columns of its own",
    },
    {
      command: "transfers reconcile ledger.csv --transfers september.parquet --html report.html --junit report.xml",
      description: "Without the service, with a report to pass on",
    },
  ]),
)
