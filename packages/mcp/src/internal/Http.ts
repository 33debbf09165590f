/** Serves HTTP on loopback. Any other host requires a token. */
import { createHash, timingSafeEqual } from "node:crypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as BoundedServer from "@transferkit/http-api/BoundedServer"
import * as HostName from "@transferkit/http-api/HostName"
import * as ByteSize from "effect/ByteSize"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { ServeError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { unhandled } from "effect/Types"
import { CannotListen } from "../CannotListen.ts"
import * as Declared from "./Declared.ts"
import * as Message from "./Message.ts"
import * as MessageId from "./MessageId.ts"
import * as Sessions from "./Sessions.ts"

/** Where to listen, and whom to answer. */
export interface Options {
  readonly host: string
  readonly port: number
  readonly token: Redacted.Redacted | undefined
}

/** The only path. */
export const path = "/mcp"

/** Serves the routes of an MCP server until it is interrupted. */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>, options: Options) =>
  Layer.mergeAll(
    HttpRouter.serve(Layer.merge(routes, sessions), {
      disableLogger: true,
      disableListenLog: true,
      middleware: (app) =>
        Effect.flatMap(
          HttpServerRequest.HttpServerRequest,
          (request) =>
            rejectionOf(request, options) ??
            Effect.flatMap(unreadable(request), (reply) => (reply === undefined ? app : Effect.succeed(reply))),
        ).pipe(
          HttpEffect.withPreResponseHandler((_request, response) => Effect.succeed(honest(response))),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1)),
        ),
    }),
    announcement,
  ).pipe(
    Layer.provide(listener(options)),
    Layer.catch((error) =>
      Layer.effectDiscard(Effect.fail(error instanceof ServeError ? unavailable(error, options) : error)),
    ),
  )

const sessions = HttpRouter.middleware(
  Effect.map(
    Sessions.make(path),
    (around) => (app: Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled>) => around(app),
  ),
  { global: true },
)

const unavailable = ({ cause }: ServeError, { host, port }: Options): CannotListen =>
  new CannotListen({ host, port, reason: cause instanceof Error ? cause.message : String(cause) })

/** Gives calls a second to end, then closes their connections: so that a waiting client cannot block shutdown. */
const listener = (options: Options) =>
  Layer.unwrap(
    Effect.sync(() => {
      const { host, port } = options
      const server = BoundedServer.make({
        isAdmitted: (headers) => isForUs(headers, options) && hasToken(headers, options),
      })
      const closing = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))
      return Layer.provideMerge(
        closing,
        NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: "1 second" }),
      )
    }),
  )

const announcement = Layer.effectDiscard(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    yield* Console.error(`Listening on ${HttpServer.formatAddress(address)}${path}`)
  }),
)

/** Of Node or of Effect. */
type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A page of another site cannot name this machine by a name of its own. */
const isForUs = (headers: Headers, { host }: Options): boolean =>
  !HostName.isLoopback(host) || HostName.isLoopback(HostName.ofHeader(String(headers["host"] ?? "")))

/** Nor can it guess the token. */
const hasToken = (headers: Headers, { token }: Options): boolean => {
  if (token === undefined) return true
  const given = /^bearer +(\S+)$/i.exec(String(headers["authorization"] ?? ""))?.[1]
  // An empty token would match requests without one.
  return given !== undefined && timingSafeEqual(digest(given), digest(Redacted.value(token)))
}

const rejectionOf = (
  { headers }: HttpServerRequest.HttpServerRequest,
  options: Options,
): Effect.Effect<HttpServerResponse.HttpServerResponse> | undefined => {
  if (!isForUs(headers, options)) {
    return Effect.succeed(HttpServerResponse.text("This server is for its own machine.\n", { status: 403 }))
  }
  if (hasToken(headers, options)) return undefined
  return Effect.succeed(
    HttpServerResponse.text("Send the token of this server: Authorization: Bearer …\n", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    }),
  )
}

/** The most messages of a batch, which protocols of before 2025-06 have: each is answered, and all at once. */
const mostInBatch = 20

/** The reply to a body that is no message, or too many: the error of JSON-RPC, with the status of HTTP. */
const unreadable = (
  request: HttpServerRequest.HttpServerRequest,
): Effect.Effect<HttpServerResponse.HttpServerResponse | undefined> => {
  const isJsonType = /^application\/json\b/i.test(request.headers["content-type"] ?? "")
  if (request.method !== "POST" || !isJsonType) return Effect.undefined
  // Too long, or cut off: what reads it next says so. The server handles requests uninterruptibly but for their routes.
  return Effect.map(
    Effect.orElseSucceed(Effect.interruptible(request.text), () => "{}"),
    (text) => {
      const fault = faultOf(text)
      return (
        fault && HttpServerResponse.text(Message.rejection(fault), { status: 400, contentType: "application/json" })
      )
    },
  )
}

/** A response to `initialize` comes whole. */
const honest = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array") return response
  const { body, contentType } = response.body
  const text = Buffer.from(body).toString()
  const shown = Declared.honestLines(text)
  return shown === text ? response : HttpServerResponse.setBody(response, HttpBody.text(shown, contentType))
}

const faultOf = (text: string): Message.Fault | undefined => {
  // A key with a character that was lost would be another key.
  if (text.includes("\ufffd"))
    return { id: null, code: Message.codes.parse, message: "Parse error: the body is not UTF-8" }
  const read = Message.read(text)
  if (Result.isFailure(read)) return read.failure
  const messages: ReadonlyArray<unknown> = Array.isArray(read.success) ? read.success : [read.success]
  const invalid = (message: string): Message.Fault => ({ id: null, code: Message.codes.invalid, message })
  if (messages.length > mostInBatch) return invalid(`Invalid request: a batch has at most ${mostInBatch} messages`)
  return messages.every(isAnswerable) ? undefined : invalid(`Invalid request: ${MessageId.expected}`)
}

/** Whether its answer can have its id. Other values that are no id are rejected by whoever reads the message next. */
const isAnswerable = (message: unknown): boolean =>
  !Predicate.hasProperty(message, "id") || typeof message.id !== "number" || MessageId.isExact(message.id)

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()
