/**
 * A server of the Model Context Protocol with read-only tools over transfers. It logs a line to standard error for each
 * call, through Effect's `Console`.
 */
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Arguments from "./internal/Arguments.ts"
import * as CallLog from "./internal/CallLog.ts"
import * as Handlers from "./internal/Handlers.ts"
import * as Http from "./internal/Http.ts"
import * as MessageStdio from "./internal/MessageStdio.ts"
import { toolkit } from "./internal/Tools.ts"
import type * as Mask from "./Mask.ts"
import type * as MirrorQuery from "./MirrorQuery.ts"

/** What every server needs. */
export interface ServerOptions {
  /** The version that clients see. */
  readonly version: string
  readonly mask: Mask.Mask
  /**
   * Whether to answer although the source lacks transfers that were asked for; the answer then says which.
   * @default false
   */
  readonly allowIncomplete?: boolean
  /**
   * Whether to log nothing.
   * @default false
   */
  readonly quiet?: boolean
  /** Runs SQL over the mirror that the source is, for the tool `query`. Without it, the tool says that it needs a mirror. */
  readonly query?: MirrorQuery.Run | undefined
}

/** Where to listen, and whom to answer. */
export interface HttpOptions extends ServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Without one, only a loopback host is safe. */
  readonly token: Redacted.Redacted | undefined
  /** Browsers of other origins are rejected. */
  readonly allowedOrigins: ReadonlyArray<string>
}

const instructions = `Reads a partner's transfers between fiat and crypto. Nothing can be changed. Amounts are exact decimal text. ${Handlers.notice}`

const options = ({ version, mask, allowIncomplete = false, query }: ServerOptions) => ({
  name: "transferkit",
  version,
  instructions,
  protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26] as const,
  registrations: McpServer.toolkit(toolkit).pipe(
    Layer.provide(Arguments.layer),
    Layer.provide(toolkit.toLayer(Handlers.make({ mask, allowIncomplete, runQuery: query }))),
    Layer.merge(CallLog.layer(mask)),
  ),
})

/** Serves standard input and output until the client closes standard input. */
export const stdio = Effect.fn("TransferMcp.stdio")(function* (given: ServerOptions) {
  const closed = yield* Deferred.make<void>()
  const server = McpServer.layerStdio(options(given)).pipe(Layer.provide(MessageStdio.layer(closed)))
  yield* Layer.launch(server).pipe(
    Effect.catchTag("IllegalArgumentError", Effect.die),
    untilClosed(closed),
    logging(given),
  )
})

/** Serves HTTP until it is interrupted. */
export const http = Effect.fn("TransferMcp.http")(function* (given: HttpOptions) {
  const routes = McpServer.layerHttp({
    ...options(given),
    path: Http.path,
    allowedOrigins: given.allowedOrigins,
    allowSessionTermination: true,
  })
  yield* Layer.launch(Http.serve(routes, given)).pipe(
    Effect.catchTag("IllegalArgumentError", Effect.die),
    logging(given),
  )
})

const logging =
  ({ quiet = false }: ServerOptions) =>
  <A, E, R>(server: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    quiet ? Effect.provideService(server, Console.Console, silent) : server

const silent: Console.Console = Object.assign(Object.create(globalThis.console), { error: () => {} })

/** How long calls may go on when their client has closed standard input, which is how it ends a session. */
const grace = "2 seconds"

/** A call that is interrupted still has an answer, which its client may never take. */
const ended = <A, E>(server: Fiber.Fiber<A, E>): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(Effect.interruptible(Fiber.interrupt(server)), "1 second"))

/** The server interrupts itself after its last call. */
const untilClosed =
  (closed: Deferred.Deferred<void>) =>
  <E, R>(server: Effect.Effect<never, E, R>): Effect.Effect<void, E, R> =>
    Effect.gen(function* () {
      const fiber = yield* Effect.acquireRelease(Effect.forkDetach(server), ended)
      const late = Deferred.await(closed).pipe(Effect.andThen(Effect.sleep(grace)), Effect.as(Exit.void))
      const exit = yield* Effect.raceFirst(Fiber.await(fiber), late)
      if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    }).pipe(Effect.scoped)
