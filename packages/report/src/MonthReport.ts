/** What a report says of the transfers of a period, from one file of them in order of creation. */
import { createHash } from "node:crypto"
import * as Audit from "@transferkit/domain/Audit"
import type * as Capabilities from "@transferkit/domain/Capabilities"
import * as Dialect from "@transferkit/domain/Dialect"
import type * as Money from "@transferkit/domain/Money"
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferEncoder from "@transferkit/files/formats/TransferEncoder"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

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
  /** The oldest first. */
  readonly open: ReadonlyArray<Transfer>
  /** The largest of each currency of `source_total` that have not failed, by size. */
  readonly largest: ReadonlyArray<Transfer>
  /** Undefined if the source has no capabilities to audit by. */
  readonly findings: ReadonlyArray<Finding> | undefined
  /** The SHA-256 of the transfers as an NDJSON export of them. */
  readonly sha256: string
}

/** How to make a report. */
export interface Options {
  readonly capabilities: Capabilities.Capabilities | undefined
  readonly by: "day" | "month"
}

/** How many transfers of a currency are the largest. */
const largestOfEach = 3

/**
 * Reads the transfers as often as it needs to: memory grows with the open ones and the findings only, of which a month in
 * order has few.
 */
export const make = <E, R>(transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>, { capabilities, by }: Options) =>
  Effect.gen(function* () {
    const dialect = yield* Dialect.Dialect
    const statuses = new Map<string, number>()
    const open: Array<Transfer> = []
    const largest = new Map<string, ReadonlyArray<Transfer>>()
    const findings: Array<Finding> = []
    const hash = createHash("sha256")
    const encoder = TransferEncoder.make("ndjson", { csvRaw: false })
    let isFirst = true
    const take = (transfer: Transfer): void => {
      const { id, status, source_total } = transfer
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const settlement = Dialect.classOf(dialect, status)
      if (settlement === "open") open.push(transfer)
      if (source_total !== undefined && settlement !== "failed") {
        const currency = source_total.currency_code
        largest.set(currency, keepLargest([...(largest.get(currency) ?? []), transfer]))
      }
      if (capabilities === undefined) return
      for (const finding of Audit.audit(transfer, capabilities, dialect)) findings.push({ id, ...finding })
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
    const single = Stream.flatMap(transfers, (batch) => Stream.fromIterable(batch))
    const settled = Stream.filter(single, ({ status }) => Dialect.classOf(dialect, status) === "settled")
    const report: MonthReport = {
      transfers: [...statuses.values()].reduce((sum, count) => sum + count, 0),
      statuses,
      byStatus: yield* Stream.run(single, Summary.sink({ by: ["status", "currency"] })),
      byTime: yield* Stream.run(settled, Summary.sink({ by: [by, "currency"] })),
      open,
      largest: [...largest.keys()].toSorted().flatMap((currency) => largest.get(currency) ?? []),
      findings: capabilities === undefined ? undefined : findings,
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

/** Seconds since the creation of a transfer. */
export const age = ({ created_at }: Transfer, at: Timestamp.Timestamp): number =>
  Math.floor(Duration.toSeconds(Timestamp.difference(at, created_at)))
