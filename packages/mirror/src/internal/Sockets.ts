/**
 * Closes the connections to a database soon after their last use is interrupted, for whose end the driver would wait 5 s
 * if the database is silent, and when a result is too large, which the driver would collect.
 */
import { connect, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** What a database has to confirm a cancellation. */
const graceMillis = 500

/** How often it is looked how much came: what comes meanwhile is held beyond the limit. */
const countMillis = 20

export interface Sockets {
  readonly open: () => Socket
  /** If it is interrupted and does not end soon, its connections do, unless others still use them. */
  readonly promptly: <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Its connections end when they have received more bytes than that. */
  readonly atMost: <E2>(
    bytes: number,
    tooMany: E2,
  ) => <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>
}

/** Where the driver would connect to. It rejects what it cannot read before. */
const placeOf = (url: URL) => {
  const host = url.searchParams.get("host") ?? (decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "") || "localhost")
  const port = Number(url.searchParams.get("port") ?? (url.port || 5432))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port, noDelay: true }
}

export const make = (url: URL): Sockets => {
  const place = placeOf(url)
  const sockets = new Set<Socket>()
  const uses = { all: 0, interrupted: 0 }
  const end = () => {
    if (uses.interrupted < uses.all) return
    for (const socket of sockets) socket.destroy()
  }
  return {
    open: () => {
      const socket = connect(place)
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
      return socket
    },
    promptly: (use) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          uses.all++
          const fiber = yield* Effect.forkChild(restore(use), { startImmediately: true })
          const interrupt = Effect.suspend(() => {
            uses.interrupted++
            // Again, because a cancellation connects anew.
            const timer = setInterval(end, graceMillis)
            return Effect.ensuring(
              Fiber.interrupt(fiber),
              Effect.sync(() => {
                uses.interrupted--
                clearInterval(timer)
              }),
            )
          })
          return yield* Effect.onInterrupt(restore(Fiber.join(fiber)), () => interrupt)
        }).pipe(Effect.ensuring(Effect.sync(() => uses.all--))),
      ),
    atMost: (bytes, tooMany) => (use) =>
      Effect.suspend(() => {
        let isExceeded = false
        const count = () => {
          for (const socket of sockets) isExceeded ||= socket.bytesRead > bytes
          if (isExceeded) for (const socket of sockets) socket.destroy()
          return isExceeded
        }
        const timer = setInterval(count, countMillis)
        return use.pipe(
          Effect.mapError((error) => (isExceeded ? tooMany : error)),
          Effect.tap(() => (count() ? Effect.fail(tooMany) : Effect.void)),
          Effect.ensuring(Effect.sync(() => clearInterval(timer))),
        )
      }),
  }
}
