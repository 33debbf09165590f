/**
 * The state of a watch. The service filters by creation only, so each poll reads a window back from the latest creation,
 * which catches late arrivals, and reads every transfer again that is not yet terminal, however old. Pure.
 */
import { createHash } from "node:crypto"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Duration from "effect/Duration"
import * as S from "effect/Schema"

const Known = S.Struct({
  external_id: S.optionalKey(S.String),
  created_at: Timestamp.Wire,
  status: S.String,
  /** A digest of all its fields. */
  digest: S.String,
})

/** An event that was observed and is not delivered yet. The transfer is read again before the next attempt. */
const Pending = S.Struct({
  external_id: S.optionalKey(S.String),
  created_at: Timestamp.Wire,
  event: S.Literals(["created", "changed"]),
  previous_status: S.optionalKey(S.String),
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
  /** Events to deliver, by the id of the transfer. */
  pending: S.optionalKey(S.Record(S.String, Pending)),
})

/** Plain JSON, to keep between runs. */
export type WatchState = typeof Schema.Type

/** A transfer was created or changed. */
export interface WatchEvent {
  readonly event: "created" | "changed"
  readonly previous_status?: string
  readonly transfer: Transfer
}

/** The state before the first poll. Transfers created shortly before `since` are watched too. */
export const start = (since: Timestamp.Timestamp, lookBackSeconds: number): WatchState => ({
  transfers_watch: 1,
  since: Timestamp.toUtc(since).text,
  floor: Timestamp.lookBack(since, Duration.seconds(lookBackSeconds)).text,
  watermark: Timestamp.toUtc(since).text,
  known: {},
})

/** The start of the window: never before the floor, because unknown transfers there may have been reported. */
export const windowStart = (state: WatchState, lookBackSeconds: number): Timestamp.Timestamp => {
  const floor = Timestamp.parseUnsafe(state.floor)
  const from = Timestamp.lookBack(Timestamp.parseUnsafe(state.watermark), Duration.seconds(lookBackSeconds))
  return Timestamp.compare(from, floor) > 0 ? from : floor
}

/** A transfer to read again: by its external_id, or by its creation time if it has none. */
export interface Recheck {
  readonly id: string
  readonly external_id: string | undefined
  readonly created_at: Timestamp.Timestamp
}

/** The transfers before the window that may still change, or have an event to deliver. */
export const rechecks = (
  state: WatchState,
  from: Timestamp.Timestamp,
  terminal: ReadonlyArray<string>,
): ReadonlyArray<Recheck> => {
  const open = Object.entries(state.known).filter(([, { status }]) => !terminal.includes(status))
  const transfers = new Map<string, Pick<Recheck, "external_id"> & { readonly created_at: string }>()
  for (const [id, { external_id, created_at }] of [...open, ...Object.entries(state.pending ?? {})]) {
    transfers.set(id, { external_id, created_at })
  }
  return [...transfers].flatMap(([id, { external_id, created_at }]) => {
    const at = Timestamp.parseUnsafe(created_at)
    return Timestamp.compare(at, from) >= 0 ? [] : [{ id, external_id, created_at: at }]
  })
}

/** The state after some transfers were read, and the events to deliver, each of them pending in the state. */
export const observe = (
  state: WatchState,
  transfers: ReadonlyArray<Transfer>,
): { readonly state: WatchState; readonly events: ReadonlyArray<WatchEvent> } => {
  const known = new Map(Object.entries(state.known))
  const pending = new Map(Object.entries(state.pending ?? {}))
  const events: Array<WatchEvent> = []
  const since = Timestamp.parseUnsafe(state.since)
  let watermark = Timestamp.parseUnsafe(state.watermark)
  // A transfer that moved while pages were read may have been read twice.
  const read = [...new Map(transfers.map((transfer) => [transfer.id, transfer])).values()]
  for (const transfer of read.toSorted(byCreation)) {
    const { id, external_id, created_at, status } = transfer
    const place = { ...(external_id === undefined ? {} : { external_id }), created_at: created_at.text }
    const before = known.get(id)
    const digest = digestOf(transfer)
    const isCreated = before === undefined && Timestamp.compare(created_at, since) >= 0
    const isChanged = before !== undefined && before.digest !== digest
    const event =
      pending.get(id) ??
      (isCreated ? { ...place, event: "created" as const } : undefined) ??
      (isChanged ? { ...place, event: "changed" as const, previous_status: before.status } : undefined)
    if (event !== undefined) {
      pending.set(id, event)
      const { previous_status } = event
      events.push({ event: event.event, ...(previous_status === undefined ? {} : { previous_status }), transfer })
    }
    known.set(id, { ...place, status, digest })
    if (Timestamp.compare(created_at, watermark) > 0) watermark = Timestamp.toUtc(created_at)
  }
  return {
    state: {
      ...state,
      watermark: watermark.text,
      known: Object.fromEntries(known),
      pending: Object.fromEntries(pending),
    },
    events,
  }
}

/** The state after the events of some transfers were delivered. */
export const delivered = (state: WatchState, ids: ReadonlySet<string>): WatchState => ({
  ...state,
  pending: Object.fromEntries(Object.entries(state.pending ?? {}).filter(([id]) => !ids.has(id))),
})

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
