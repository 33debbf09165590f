/**
 * The rate of requests to the service, one for all processes that load a mirror: each asks the mirror's database for a
 * permit before it sends a request. Only the database's clock counts. A permit is for one instant, so a process
 * that is killed holds up no other. Effect's `RateLimiter` has no store in SQL, allows twice the limit within
 * a second, and adds up the waits that the service asked several workers for.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import * as Driver from "./internal/Driver.ts"
import * as SqlText from "./internal/SqlText.ts"
import type { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** The rate of the requests for a partner's transfers. */
export interface RequestRate {
  /** Waits until one request may be sent. */
  readonly permit: Effect.Effect<void, MirrorError>
  /** No process gets a permit for this long. */
  readonly pause: (duration: Duration.Duration) => Effect.Effect<void, MirrorError>
}

/** Microseconds for which unused permits are kept, so that a late request does not lower the rate. */
const slack = 100_000

/** Microseconds, more than any pause. A wait beyond it means that the database's clock was set back. */
const farthest = 600_000_000

/** Nanoseconds for which a process remembers that nothing limits its requests: each of them would ask the database. */
const remembered = 100_000_000n

/**
 * Sets the limit of all processes, in requests per second; `undefined` sets none. Within any second no more permits are
 * dealt than that, because they are spaced for a tenth of a second longer.
 *
 * @example
 * await run(RequestRate.limit("demo", 50)) // => undefined
 */
export const limit = Effect.fn("RequestRate.limit")(function* (partner_id: string, perSecond: number | undefined) {
  const { run } = Driver.of(yield* TransferMirror)
  const spacing = perSecond === undefined ? 0 : Math.ceil((1_000_000 + slack) / perSecond)
  yield* run(
    (sql) =>
      sql`INSERT INTO request_rates (partner_id, spacing_us, next_us) VALUES (${partner_id}, ${spacing}, 0)
        ON CONFLICT (partner_id) DO UPDATE SET spacing_us = excluded.spacing_us`,
  )
})

/**
 * The rate of a partner's requests. Those of this process take turns.
 *
 * @example
 * await run(Effect.flatMap(RequestRate.make("demo"), ({ permit }) => Effect.as(permit, "permitted"))) // => "permitted"
 */
export const make = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const turn = Semaphore.makeUnsafe(1)
  const look = run(
    (sql) =>
      sql<{
        readonly wait: bigint
        readonly spacing: bigint
      }>`SELECT next_us - ${SqlText.nowMicros(sql)} AS wait, spacing_us AS spacing FROM request_rates
      WHERE partner_id = ${partner_id}`,
  )
  const take = run((sql) => {
    const now = SqlText.nowMicros(sql)
    const kept = SqlText.larger(sql, sql`next_us`, sql`${now} - ${sql.literal(`${slack}`)}`)
    return sql`UPDATE request_rates SET next_us = ${SqlText.smaller(sql, now, kept)} + spacing_us
      WHERE partner_id = ${partner_id} AND (next_us <= ${now} OR next_us > ${now} + ${sql.literal(`${farthest}`)})
      RETURNING partner_id`
  })
  const unlimitedAt = yield* Ref.make(-remembered)
  const permit = Effect.gen(function* () {
    if ((yield* Clock.currentTimeNanos) - (yield* Ref.get(unlimitedAt)) < remembered) return
    for (;;) {
      const now = yield* Clock.currentTimeNanos
      const [row] = yield* look
      const wait = Number(row?.wait ?? 0)
      if (wait > 0 && wait <= farthest) yield* Effect.sleep(Math.ceil(wait / 1000))
      else if (row === undefined || row.spacing === 0n) return yield* Ref.set(unlimitedAt, now)
      else if ((yield* take).length > 0) return
    }
  })
  const rate: RequestRate = {
    permit: turn.withPermit(permit),
    pause: (duration) =>
      Effect.andThen(
        Ref.set(unlimitedAt, -remembered),
        run((sql) => {
          const until = sql`${SqlText.nowMicros(sql)} + ${sql.literal(`${Math.ceil(Duration.toMillis(duration) * 1000)}`)}`
          return sql`INSERT INTO request_rates (partner_id, spacing_us, next_us) VALUES (${partner_id}, 0, ${until})
            ON CONFLICT (partner_id) DO UPDATE SET
            next_us = ${SqlText.larger(sql, sql`request_rates.next_us`, sql`excluded.next_us`)}`
        }),
      ).pipe(Effect.asVoid),
  }
  return rate
})
