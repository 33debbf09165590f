/**
 * The state of a watch. The service filters by creation only, so each poll reads a window back from the latest creation,
 * which catches late arrivals, and reads every transfer again that is not yet terminal, however old. Pure.
 */
import { createHash } from "node:crypto"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as S from "effect/Schema"

const Known = S.Struct({
  external_id: S.optionalKey(S.String),
  created_at: Timestamp.Wire,
  status: S.String,
  /** A digest of all its fields. */
  digest: S.String,
})

/** The schema of a {@link WatchState}. */
export const Schema = S.Struct({
  transfers_watch: S.Literal(1),
  /** Transfers from here on are reported as created; earlier ones only when they change. */
  since: Timestamp.Wire,
  /** Every transfer from here on is known. */
  floor: Timestamp.Wire,
  /** The latest creation seen. */
  watermark: Timestamp.Wire,
  /** Transfers that may still change, and those so recent that the window will return them again. */
  known: S.Record(S.String, Known),
})

/** Plain JSON, to keep between runs. */
export type WatchState = typeof Schema.Type

/** A transfer was created or changed. */
export interface WatchEvent {
  readonly event: "created" | "changed"
  readonly previous_status?: string
  readonly transfer: Transfer
}

const secondsBefore = (at: Timestamp.Timestamp, seconds: number): Timestamp.Timestamp => {
  const before = at.epochNanoseconds - BigInt(seconds) * 1_000_000_000n
  return before < Timestamp.earliest.epochNanoseconds ? Timestamp.earliest : Timestamp.fromEpochNanoseconds(before)
}

/** The state before the first poll. Transfers created shortly before `since` are watched too. */
export const start = (since: Timestamp.Timestamp, lookBackSeconds: number): WatchState => ({
  transfers_watch: 1,
  since: Timestamp.toUtc(since).text,
  floor: secondsBefore(since, lookBackSeconds).text,
  watermark: Timestamp.toUtc(since).text,
  known: {},
})

/** The start of the window: never before the floor, because unknown transfers there may have been reported. */
export const windowStart = (state: WatchState, lookBackSeconds: number): Timestamp.Timestamp => {
  const floor = Timestamp.parseUnsafe(state.floor)
  const from = secondsBefore(Timestamp.parseUnsafe(state.watermark), lookBackSeconds)
  return Timestamp.compare(from, floor) > 0 ? from : floor
}

/** A transfer to read again: by its external_id, or by its creation time if it has none. */
export interface Recheck {
  readonly id: string
  readonly external_id: string | undefined
  readonly created_at: Timestamp.Timestamp
}

/** The transfers before the window that may still change. */
export const rechecks = (
  state: WatchState,
  from: Timestamp.Timestamp,
  terminal: ReadonlyArray<string>,
): ReadonlyArray<Recheck> =>
  Object.entries(state.known).flatMap(([id, { external_id, created_at, status }]) => {
    const at = Timestamp.parseUnsafe(created_at)
    return terminal.includes(status) || Timestamp.compare(at, from) >= 0 ? [] : [{ id, external_id, created_at: at }]
  })

/** The state after some transfers were read, and the events they are. */
export const observe = (
  state: WatchState,
  transfers: ReadonlyArray<Transfer>,
): { readonly state: WatchState; readonly events: ReadonlyArray<WatchEvent> } => {
  const known: Record<string, WatchState["known"][string]> = { ...state.known }
  const events: Array<WatchEvent> = []
  const since = Timestamp.parseUnsafe(state.since)
  let watermark = Timestamp.parseUnsafe(state.watermark)
  for (const transfer of transfers.toSorted(byCreation)) {
    const before = Object.hasOwn(known, transfer.id) ? known[transfer.id] : undefined
    const digest = digestOf(transfer)
    if (before === undefined) {
      if (Timestamp.compare(transfer.created_at, since) >= 0) events.push({ event: "created", transfer })
    } else if (before.digest !== digest) {
      events.push({ event: "changed", previous_status: before.status, transfer })
    }
    known[transfer.id] = {
      ...(transfer.external_id === undefined ? {} : { external_id: transfer.external_id }),
      created_at: transfer.created_at.text,
      status: transfer.status,
      digest,
    }
    if (Timestamp.compare(transfer.created_at, watermark) > 0) watermark = Timestamp.toUtc(transfer.created_at)
  }
  return { state: { ...state, watermark: watermark.text, known }, events }
}

const byCreation = (left: Transfer, right: Transfer): number =>
  Timestamp.compare(left.created_at, right.created_at) || (left.id < right.id ? -1 : 1)

const digestOf = (transfer: Transfer): string =>
  createHash("sha256").update(JSON.stringify(transfer)).digest("base64url").slice(0, 22)

/** Forgets terminal transfers that the window will not return again. */
export const prune = (state: WatchState, from: Timestamp.Timestamp, terminal: ReadonlyArray<string>): WatchState => ({
  ...state,
  floor: from.text,
  known: Object.fromEntries(
    Object.entries(state.known).filter(
      ([, { created_at, status }]) =>
        !terminal.includes(status) || Timestamp.compare(Timestamp.parseUnsafe(created_at), from) >= 0,
    ),
  ),
})
