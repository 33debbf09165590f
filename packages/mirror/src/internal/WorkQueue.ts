/** The windows that wait for a worker: Effect's queue, in the mirror's own database. */
import * as Crypto from "node:crypto"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as SqlFailure from "./SqlFailure.ts"

const Item = Schema.Struct({ window_id: Schema.String })

/** How long a worker that does not respond keeps its window. */
export const defaultLease = Duration.seconds(10)

/** Opens the queue of the mirror for an effect. */
export const provide =
  (lease: Duration.Duration) =>
  <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.flatMap(TransferMirror, (mirror) => {
      // It logs each failure of its own with a stack, and tries again.
      const quiet = Effect.provideService(References.MinimumLogLevel, "None")
      const run = Effect.gen(function* () {
        const failed = (error: SqlError) => Driver.of(mirror).run(() => Effect.fail(error))
        const opened = yield* Layer.build(layer(lease)).pipe(
          Effect.catchTag("SqlError", failed),
          // It dies of a database that is away while its tables are created.
          Effect.catchDefect((defect) => failed(SqlFailure.away(defect))),
        )
        return yield* Effect.provide(body, opened)
      })
      return Driver.of(mirror).masked(Effect.scoped(quiet(run)))
    })

const layer = (lease: Duration.Duration) =>
  PersistedQueue.layer.pipe(
    Layer.provide(
      PersistedQueue.layerStoreSql({
        tableName: "sync_queue",
        pollInterval: "200 millis",
        lockExpiration: lease,
        lockRefreshInterval: Duration.millis(Duration.toMillis(lease) / 5),
      }),
    ),
    Layer.provide(
      Layer.effect(
        SqlClient.SqlClient,
        Effect.map(TransferMirror, (mirror) => Driver.of(mirror).sql),
      ),
    ),
  )

/** Characters of a name: PostgreSQL's column has room for 255. */
const longestName = 200

/** The name of the queue of a partner. */
export const nameOf = (partner_id: string): string => {
  const name = `windows of ${partner_id}`
  return name.length <= longestName ? name : `windows of SHA-256 ${Crypto.hash("sha256", partner_id)}`
}

/** The windows of a partner. Attempts are counted by window, so that progress resets them. */
export const make = (partner_id: string) =>
  PersistedQueue.make({
    name: nameOf(partner_id),
    schema: Item,
    maxAttempts: 1_000_000,
    retrySchedule: Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("10 seconds")]),
  })
