/** How fresh a mirror is, as a number: up to when it is complete, and how late transfers appear in this service. */
import { grouped } from "@transferkit/domain/Quantity"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as ClockCheck from "./internal/ClockCheck.ts"
import * as CompleteUntil from "./internal/CompleteUntil.ts"
import * as Driver from "./internal/Driver.ts"
import * as Lease from "./internal/Lease.ts"
import * as LookBack from "./internal/LookBack.ts"
import * as Rereading from "./internal/Rereading.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** The status of a partner's mirror. Lateness is that of the last 30 days. */
export interface Status {
  readonly partner_id: string
  /** Everything created up to this instant is in the mirror: RFC 3339. Absent before the first complete sync. */
  readonly complete_until: string | undefined
  /** Transfers that passes have seen appear. */
  readonly observed: number
  /** The greatest lateness among them: seconds from creation, at least. */
  readonly lateness_max: number
  /** The 99.99th percentile of their lateness, in seconds. */
  readonly lateness_p9999: number
  /** Transfers that appeared later than passes look back. */
  readonly missed: number
  /** Seconds that a pass looks back by default. */
  readonly look_back: number
  /** The share of the transfers, 0 to 1, that were read in the last 30 days. */
  readonly verified_share: number | undefined
  /** When the part that has waited longest was last read: RFC 3339. Absent if a clock said so that was ahead. */
  readonly oldest_verified_at: string | undefined
  /** The process that syncs it now, and when its lease expires unless it is renewed. */
  readonly lease: { readonly holder: string; readonly until: string } | undefined
  /** Milliseconds by which the mirror's clock is behind the last instant of its history. */
  readonly clock_behind_ms: number
}

/** The columns of a table of statuses: its fields, and those of the lease. */
const columns = {
  partner_id: "text",
  complete_until: "text",
  observed: "number",
  lateness_max: "number",
  lateness_p9999: "number",
  missed: "number",
  look_back: "number",
  verified_share: "number",
  oldest_verified_at: "text",
  lease_holder: "text",
  lease_until: "text",
  clock_behind_ms: "number",
} as const

/** Their names. */
export const names = Struct.keys(columns)

/** Those that hold numbers. */
export const numbers: ReadonlySet<string> = new Set(names.filter((name) => columns[name] === "number"))

/**
 * A status as a row of {@link names}.
 *
 * @example
 * const [status] = await run(MirrorStatus.read())
 * MirrorStatus.cells(status).length // => MirrorStatus.names.length
 */
export const cells = ({ lease, ...status }: Status): ReadonlyArray<string | undefined> => {
  const row = { ...status, lease_holder: lease?.holder, lease_until: lease?.until }
  return names.map((name) => row[name]?.toString())
}

/** The time over which shares and lateness are measured. */
const window = Duration.days(30)

/**
 * The status of each partner of a mirror.
 *
 * @example
 * (await run(MirrorStatus.read())).map(({ partner_id }) => partner_id) // => ["demo"]
 */
export const read = Effect.fn("MirrorStatus.read")(function* () {
  const mirror = yield* TransferMirror
  const leases = yield* Driver.of(mirror).run(Lease.holders)
  const clock_behind_ms = yield* ClockCheck.behind
  return yield* Effect.forEach(yield* mirror.partners, (partner_id) =>
    Effect.map(ofPartner(partner_id), (status): Status => ({
      ...status,
      clock_behind_ms,
      lease: leases.find((one) => one.partner_id === partner_id)?.lease,
    })),
  )
})

const ofPartner = Effect.fnUntraced(function* (partner_id: string) {
  const { measured, last, lookBack } = yield* LookBack.of(partner_id)
  const verified = yield* Rereading.share(partner_id, window)
  return {
    partner_id,
    complete_until: last && (yield* CompleteUntil.read(partner_id, last))?.text,
    observed: measured.observed,
    lateness_max: secondsOf(measured.longest),
    lateness_p9999: secondsOf(measured.p9999),
    missed: measured.missed,
    look_back: Duration.toSeconds(lookBack),
    verified_share: verified?.share,
    oldest_verified_at: verified?.oldest,
  }
})

/**
 * The `complete_until` of a partner, without the rest of its status.
 *
 * @example
 * (await run(MirrorStatus.completeUntil("no-such-partner"))) // => undefined
 */
export const completeUntil = Effect.fn("MirrorStatus.completeUntil")(function* (partner_id: string) {
  const last = yield* SyncTables.lastPass(partner_id)
  return last && (yield* CompleteUntil.read(partner_id, last))
})

/**
 * How many transfers of a partner may still change, and the creation of the oldest.
 *
 * @example
 * (await run(MirrorStatus.open("demo"))).transfers // => 1
 */
export const open = Effect.fn("MirrorStatus.open")(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) =>
      sql<{
        readonly transfers: bigint
        readonly oldest: bigint | null
      }>`SELECT COUNT(*) AS transfers, MIN(created_ns) AS oldest FROM open_transfers WHERE partner_id = ${partner_id}`,
  )
  const oldest = row?.oldest ?? undefined
  return {
    transfers: Number(row?.transfers ?? 0),
    oldest: oldest === undefined ? undefined : Timestamp.fromEpochNanoseconds(oldest),
  }
})

/** Seconds with three digits after the point. */
const secondsOf = (nanoseconds: bigint): number => Math.trunc(Duration.toMillis(Duration.nanos(nanoseconds))) / 1000

/**
 * The status in words.
 *
 * @example
 * MirrorStatus.describe({ partner_id: "demo", complete_until: "2024-09-30T12:03:10Z", observed: 1204331, lateness_max: 42, lateness_p9999: 3, missed: 0, look_back: 3600, verified_share: 0.83, oldest_verified_at: "2024-09-03T00:00:00.000Z", lease: undefined, clock_behind_ms: 0 }) // => "demo: complete until 2024-09-30T12:03:10Z; the latest of 1,204,331 appeared at least 42 s after its creation. Each pass also reads the last 3,600 s again, for transfers that appear late. 83 % re-verified within 30 days, the oldest part on 2024-09-03."
 */
export const describe = (status: Status): string => {
  const { partner_id, complete_until, observed, lateness_max, missed, look_back, verified_share } = status
  if (complete_until === undefined) return `${partner_id}: not complete yet.`
  const seen =
    observed === 0
      ? "passes have found no new transfer in the last 30 days"
      : `the latest of ${grouped(observed)} appeared at least ${grouped(Math.floor(lateness_max))} s after its creation`
  const lost = missed === 0 ? "" : `; ${grouped(missed)} appeared later than that`
  const share = verified_share === undefined ? "" : ` ${Math.floor(verified_share * 100)} % re-verified within 30 days`
  const oldest =
    status.oldest_verified_at === undefined ? "" : `, the oldest part on ${status.oldest_verified_at.slice(0, 10)}`
  const lease = status.lease === undefined ? "" : ` ${status.lease.holder} is syncing it.`
  const clock =
    status.clock_behind_ms < 60_000
      ? ""
      : ` Its clock is ${Math.round(status.clock_behind_ms / 1000)} s behind its history.`
  return `${partner_id}: complete until ${complete_until}; ${seen}. Each pass also reads the last ${grouped(look_back)} s again, for transfers that appear late${lost}.${share === "" ? "" : `${share}${oldest}.`}${lease}${clock}`
}
