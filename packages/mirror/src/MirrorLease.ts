/** Lets one process at a time sync a partner. Every transaction of a sync checks that its lease still holds. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Driver from "./internal/Driver.ts"
import * as Lease from "./internal/Lease.ts"
import { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** How to take a lease. */
export interface Options {
  /**
   * Waits while another process holds the lease, and runs this once. Without it, the effect fails as soon as that
   * process has renewed its lease.
   */
  readonly onWait?: Effect.Effect<void> | undefined
}

/**
 * Runs an effect under the leases of some partners. One process holds a lease at a time. Within an effect that holds it
 * already the lease is only checked, and taken again if another process has held it meanwhile: what runs under it has
 * read nothing yet.
 *
 * @example
 * await run(Effect.succeed("alone").pipe(MirrorLease.holding(["demo"]))) // => "alone"
 */
export const holding =
  (partners: ReadonlyArray<string>, options: Options = {}) =>
  <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | MirrorError, R | TransferMirror> =>
    partners.reduce<Effect.Effect<A, E | MirrorError, R | TransferMirror>>(
      (inner, partner_id) => inner.pipe(holdingOne(partner_id, options)),
      body,
    )

/**
 * Runs an effect under the lease of a partner, which one process holds at a time. The lease of a process that was killed
 * expires after ten seconds.
 */
const holdingOne =
  (partner_id: string, { onWait }: Options) =>
  <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | MirrorError, R | TransferMirror> =>
    Effect.gen(function* () {
      const current = yield* Lease.Current
      const { run, sql } = Driver.of(yield* TransferMirror)
      const own = current.get(partner_id)
      if (own !== undefined) {
        if (!(yield* run(() => Lease.extend(sql, own)))) yield* Ref.set(own.token, yield* take(partner_id, onWait))
        return yield* body
      }
      return yield* Effect.scoped(
        Effect.gen(function* () {
          const held = yield* Effect.acquireRelease(
            Effect.map(take(partner_id, onWait), (token): Lease.Held => ({ partner_id, token: Ref.makeUnsafe(token) })),
            (taken) => Effect.ignore(run(() => Lease.release(sql, taken))),
          )
          yield* Effect.forkScoped(Lease.renew(sql, held))
          return yield* Effect.provideService(body, Lease.Current, new Map(current).set(partner_id, held))
        }),
      )
    })

const pause = Duration.millis(250)

/** Looks at a lease that its holder has not renewed, after which it is taken. */
const mostLooks = Duration.toMillis(Lease.length) / Duration.toMillis(pause)

/** A holder that renews its lease is alive; one that does not loses it. */
const take = Effect.fnUntraced(function* (partner_id: string, onWait: Effect.Effect<void> | undefined) {
  const mirror = yield* TransferMirror
  const { run, sql } = Driver.of(mirror)
  let seen: bigint | undefined
  let looks = 0
  let hasNotified = false
  for (;;) {
    const taken = yield* run(() => Lease.take(sql, partner_id, looks > mostLooks ? seen : undefined))
    if ("token" in taken) return taken.token
    const isRenewed = taken.expires_us !== seen
    if (isRenewed && seen !== undefined && onWait === undefined) {
      return yield* new MirrorError({
        kind: "busy",
        mirror: mirror.address,
        reason: `${taken.holder} is syncing ${partner_id}. Wait for it to end, or pass --wait`,
      })
    }
    if (!hasNotified && onWait !== undefined) yield* onWait
    hasNotified = true
    seen = taken.expires_us
    looks = isRenewed ? 1 : looks + 1
    // What acquires a resource is not interrupted elsewhere.
    yield* Effect.interruptible(Effect.sleep(pause))
  }
})
