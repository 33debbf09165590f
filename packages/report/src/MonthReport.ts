/** What a report says of the transfers of a period, from one file of them in order of creation. */
import { createHash } from "node:crypto"
import * as Audit from "@transferkit/domain/Audit"
import type * as Capabilities from "@transferkit/domain/Capabilities"
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import type * as Money from "@transferkit/domain/Money"
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferEncoder from "@transferkit/files/formats/TransferEncoder"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type FeeTotal, FeeTotals } from "./FeeTotals.ts"
import * as UsdValue from "./UsdValue.ts"

/** A finding of the audit and its transfer. */
export interface Finding extends Audit.Finding {
  readonly id: string
}

/** The figures of a period. Volumes and fees are those of settled transfers. */
export interface MonthReport {
  readonly transfers: number
  readonly statuses: ReadonlyMap<string, number>
  /** By status and currency. */
  readonly byStatus: Summary.Summary
  /** Of settled transfers, by day and currency, or by month and currency for a long period. */
  readonly byTime: Summary.Summary
  /** Of settled transfers, by day or month in all currencies: what each transfer is worth in US dollars. */
  readonly byTimeInUsd: ReadonlyMap<string, UsdValue.UsdValue>
  /** What all settled transfers, and all open ones, are worth. */
  readonly settledInUsd: UsdValue.UsdValue
  readonly openInUsd: UsdValue.UsdValue
  /** The oldest first. */
  readonly open: ReadonlyArray<Transfer>
  /** The largest of each currency of `source_total` that have not failed, by size. */
  readonly largest: ReadonlyArray<Transfer>
  /** Undefined if there are neither capabilities nor a fee schedule to audit by. */
  readonly findings: ReadonlyArray<Finding> | undefined
  /** Of settled transfers. Undefined without a fee schedule. */
  readonly fees: ReadonlyArray<FeeTotal> | undefined
  /** The SHA-256 of the transfers as an NDJSON export of them. */
  readonly sha256: string
}

/** How to make a report. */
export interface Options {
  readonly capabilities: Capabilities.Capabilities | undefined
  readonly fees?: FeeSchedule.FeeSchedule | undefined
  readonly by: "day" | "month"
  /** Of days and months; UTC by default. */
  readonly timeZone?: DateTime.TimeZone | undefined
}

/** How many transfers of a currency are the largest. */
const largestOfEach = 3

/**
 * Reads the transfers once, because to decode them costs more than all that is computed of them. Memory grows with the open
 * ones and the findings only, of which a month in order has few.
 */
export const make = <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  { capabilities, fees, by, timeZone }: Options,
) =>
  Effect.gen(function* () {
    const dialect = yield* Dialect.Dialect
    const statuses = new Map<string, number>()
    const open: Array<Transfer> = []
    const largest = new Map<string, ReadonlyArray<Transfer>>()
    const findings: Array<Finding> = []
    const byTimeInUsd = new Map<string, UsdValue.UsdValue>()
    const inUsd = new UsdValue.ByClass()
    const feeTotals = fees && new FeeTotals(fees)
    const byStatus = new Summary.Totals({ by: ["status", "currency"] })
    const byTime = new Summary.Totals({ by: [by, "currency"], timeZone })
    const dateOf = Day.ofMany(timeZone)
    const hash = createHash("sha256")
    const encoder = TransferEncoder.make("ndjson", { csvRaw: false })
    let isFirst = true
    const take = (transfer: Transfer): void => {
      const { id, status, source_total } = transfer
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      byStatus.add(transfer)
      const settlement = Dialect.classOf(dialect, status)
      if (settlement === "open") open.push(transfer)
      if (source_total !== undefined && settlement !== "failed") {
        const currency = source_total.currency_code
        largest.set(currency, keepLargest([...(largest.get(currency) ?? []), transfer]))
      }
      const usd = ComparedAmount.inDollars(transfer, "source_total")
      inUsd.add(settlement, usd)
      if (settlement === "settled") {
        feeTotals?.add(transfer)
        byTime.add(transfer)
        const unit = dateOf(transfer.created_at).slice(0, by === "day" ? undefined : -"-01".length)
        byTimeInUsd.set(unit, UsdValue.plus(byTimeInUsd.get(unit) ?? UsdValue.none, usd))
      }
      const found = [
        ...(capabilities === undefined ? [] : Audit.audit(transfer, capabilities, dialect)),
        ...(fees === undefined ? [] : FeeSchedule.findings(fees, transfer)),
      ]
      for (const finding of found) findings.push({ id, ...finding })
    }
    hash.update(encoder.open)
    yield* Stream.runForEach(transfers, (batch) =>
      Effect.sync(() => {
        hash.update(encoder.batch(batch, isFirst))
        isFirst = false
        batch.forEach(take)
      }),
    )
    hash.update(encoder.close)
    const report: MonthReport = {
      transfers: [...statuses.values()].reduce((sum, count) => sum + count, 0),
      statuses,
      byStatus: byStatus.summary(),
      byTime: byTime.summary(),
      byTimeInUsd,
      settledInUsd: inUsd.of("settled"),
      openInUsd: inUsd.of("open"),
      open,
      largest: [...largest.keys()].toSorted().flatMap((currency) => largest.get(currency) ?? []),
      findings: capabilities === undefined && fees === undefined ? undefined : findings,
      fees: feeTotals?.all,
      sha256: hash.digest("hex"),
    }
    return report
  })

const keepLargest = (transfers: ReadonlyArray<Transfer>): ReadonlyArray<Transfer> =>
  transfers.toSorted((left, right) => sizeOf(right).cmp(sizeOf(left))).slice(0, largestOfEach)

const sizeOf = ({ source_total }: Transfer): Money.Money["amount"] => {
  if (source_total === undefined) throw new Error("only transfers with an amount are kept")
  return source_total.amount
}

/** Seconds since the creation of a transfer; none if it was created later. */
export const age = ({ created_at }: Transfer, at: Timestamp.Timestamp): number =>
  Math.max(0, Math.floor(Duration.toSeconds(Timestamp.difference(at, created_at))))
