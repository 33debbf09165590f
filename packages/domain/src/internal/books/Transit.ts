/** Money in transit: one side has it, and few days have passed, so the other side may still get it. */
import * as Day from "../../Day.ts"
import type { Transfer } from "../../Transfer.ts"
import type { Outcome, Unpaired } from "./Outcome.ts"
import type { Rules } from "./Rules.ts"

/** The outcome, as an expected one if it is in transit. */
export const of = (outcome: Outcome, rules: Rules): Outcome =>
  isUnpaired(outcome) && isRecent(outcome, rules) ? { _tag: "Expected", outcome } : outcome

const isUnpaired = (outcome: Outcome): outcome is Unpaired =>
  outcome._tag === "NotInLedger" || outcome._tag === "NotAtService" || outcome._tag === "NotSettled"

/** The contract has no time of settlement, and a change is not one: so a transfer is as old as its creation. */
const isRecent = (outcome: Unpaired, { asOfDay, graceDays, timeZone, classOf }: Rules): boolean => {
  if (asOfDay === undefined || graceDays === 0) return false
  const isDayRecent = (day: string | undefined): boolean => day !== undefined && Day.between(day, asOfDay) <= graceDays
  const isCreationRecent = ({ created_at }: Transfer) => isDayRecent(Day.of(created_at, timeZone))
  switch (outcome._tag) {
    case "NotInLedger":
      return isCreationRecent(outcome.transfer)
    case "NotAtService":
      return isDayRecent(outcome.entry.date)
    case "NotSettled": {
      const open = outcome.transfers.filter((transfer) => classOf(transfer) === "open")
      return open.length > 0 && (open.some(isCreationRecent) || outcome.entries.every(({ date }) => isDayRecent(date)))
    }
  }
}
