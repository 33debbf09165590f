/**
 * How late transfers appear in the service, in the table `transfer_lateness`. A transfer that a pass finds, created
 * before the pass before it began, was not there when that one read: it was late by at least the time between the two.
 * That lower bound is counted, in buckets of powers of two seconds.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlText from "./SqlText.ts"

/**
 * `observed`: found by a pass. `missed`: found by a reading of what passes do not look at any more. `ahead`: created later
 * than it was seen, by the service's clock and the mirror's.
 */
export type Kind = "observed" | "missed" | "ahead"

/** An earlier reading. What it did not find although it was created before, and a later one finds, is late. */
export interface Baseline {
  /** How to count what it did not find. */
  readonly kind: "observed" | "missed"
  /** When it began: nanoseconds since 1970. */
  readonly before: bigint
  /** The creation times that it read. */
  readonly within: CreatedAt.CreatedAt
}

/** 0 up to a second, else the power of two seconds below which it is. */
export const bucketOf = (nanoseconds: bigint): number => {
  const seconds = Math.floor(Duration.toSeconds(Duration.nanos(nanoseconds)))
  return seconds === 0 ? 0 : Math.min(Math.floor(Math.log2(seconds)) + 1, 20)
}

interface Count {
  transfers: bigint
  longest: bigint
}

/** Counts the transfers that were new at an instant, in the transaction that writes them. */
export const save = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
  transfers: ReadonlyArray<Transfer>,
  { kind, before, within, seen_at }: Baseline & { readonly seen_at: string },
) {
  const counts = new Map<string, Count>()
  const seen = Timestamp.parseUnsafe(seen_at).epochNanoseconds
  for (const { created_at } of transfers) {
    if (!CreatedAt.matches(within, created_at)) continue
    const created = created_at.epochNanoseconds
    const isAhead = created > seen
    const late = isAhead ? created - seen : created < before ? before - created : 0n
    const key = `${isAhead ? "ahead" : kind} ${bucketOf(late)}`
    const count = counts.get(key) ?? { transfers: 0n, longest: 0n }
    counts.set(key, { transfers: count.transfers + 1n, longest: late > count.longest ? late : count.longest })
  }
  for (const [key, { transfers: added, longest }] of [...counts].sort()) {
    const [which = "", bucket = ""] = key.split(" ")
    yield* sql`INSERT INTO transfer_lateness (partner_id, seen_day, kind, bucket, transfers, longest_ns)
      VALUES (${partner_id}, ${seen_at.slice(0, 10)}, ${which}, ${BigInt(bucket)}, ${added}, ${longest})
      ON CONFLICT (partner_id, seen_day, kind, bucket) DO UPDATE SET
      transfers = transfer_lateness.transfers + excluded.transfers,
      longest_ns = ${SqlText.larger(sql, sql`transfer_lateness.longest_ns`, sql`excluded.longest_ns`)}`
  }
})

/** What was seen since a day. Durations are in nanoseconds. */
export interface Measured {
  readonly observed: number
  /** The latest appeared at least this long after its creation. */
  readonly longest: bigint
  /** All but one in 10,000 appeared at most about this late. */
  readonly p9999: bigint
  readonly missed: number
  readonly longestMissed: bigint
  /** How far the service's clock was ahead of the mirror's, at the most. */
  readonly ahead: bigint
}

interface Row {
  readonly kind: Kind
  readonly bucket: bigint
  readonly transfers: bigint
  readonly longest: bigint
}

/** Sums up what was seen since a day, such as `2024-09-01`. */
export const measured = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, partner_id: string, sinceDay: string) {
  const rows =
    yield* sql<Row>`SELECT kind, bucket, CAST(SUM(transfers) AS BIGINT) AS transfers, MAX(longest_ns) AS longest
        FROM transfer_lateness WHERE partner_id = ${partner_id} AND seen_day >= ${sinceDay}
        GROUP BY kind, bucket ORDER BY kind, bucket`
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind)
  const count = (kind: Kind) => of(kind).reduce((sum, { transfers }) => sum + transfers, 0n)
  const longest = (kind: Kind) => of(kind).at(-1)?.longest ?? 0n
  let left = count("observed") / 10_000n
  const rare = of("observed").findLast(({ transfers }) => (left -= transfers) < 0n)
  const found: Measured = {
    observed: Number(count("observed")),
    longest: longest("observed"),
    p9999: rare?.longest ?? 0n,
    missed: Number(count("missed")),
    longestMissed: longest("missed"),
    ahead: longest("ahead"),
  }
  return found
})
