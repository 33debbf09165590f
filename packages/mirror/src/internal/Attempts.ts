/**
 * What the attempts of a sync have done so far. An attempt that loses its database is repeated and finds committed work
 * unchanged, so the report is the sum of all attempts.
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Kind, SyncRun } from "./SyncRun.ts"
import type { Counts } from "./SyncTables.ts"

/** What a run has done, or several of one kind. */
export type Done = Pick<SyncRun, "counts" | "found">

const none: Done = { counts: { pages: 0, transfers: 0, created: 0, changed: 0, vanished: 0 }, found: [] }

/** What is done so far, by kind of run. */
export type Attempts = Ref.Ref<ReadonlyMap<Kind, Done>>

export const make: Effect.Effect<Attempts> = Ref.make<ReadonlyMap<Kind, Done>>(new Map())

/** Adds a run that has ended, in whatever way. */
export const add = (attempts: Attempts, { kind, counts, found }: SyncRun): Effect.Effect<void> =>
  Ref.update(attempts, (before) => new Map(before).set(kind, plus(before.get(kind) ?? none, { counts, found })))

/** What the runs of a kind have done, if there was one. */
export const of = (attempts: Attempts, kind: Kind): Effect.Effect<Done> =>
  Effect.map(Ref.get(attempts), (all) => all.get(kind) ?? none)

/** Whether there was a run of a kind. */
export const has = (attempts: Attempts, kind: Kind): Effect.Effect<boolean> =>
  Effect.map(Ref.get(attempts), (all) => all.has(kind))

const plus = (a: Done, b: Done): Done => {
  const counts: Counts = { ...a.counts }
  counts.pages += b.counts.pages
  counts.transfers += b.counts.transfers
  counts.created += b.counts.created
  counts.changed += b.counts.changed
  counts.vanished += b.counts.vanished
  // A transfer that two attempts found is one, as the first of them found it.
  const known = new Set(a.found.map(({ transfer }) => transfer.id))
  return { counts, found: [...a.found, ...b.found.filter(({ transfer }) => !known.has(transfer.id))] }
}
