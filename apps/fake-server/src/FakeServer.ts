/** The fake on a socket: as a layer for Effect programs and tests, and as a promise for everyone else. */
import * as http from "node:http"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as DataFile from "./DataFile.ts"
import * as FakeService from "./FakeService.ts"
import { listener } from "./internal/listener.ts"

/** What the fake holds, how it answers, and where it listens. */
export interface Options extends FakeService.Options {
  /** 0 takes any free port. @default 0 */
  readonly port?: number | undefined
  /** @default "127.0.0.1" */
  readonly host?: string | undefined
  /** A file with transfers of the first partner: a JSON array, or one JSON object a line. */
  readonly dataFile?: string | undefined
}

/** The fake cannot listen. */
export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly host: string
  readonly port: number
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot listen on ${this.host}, port ${this.port}: ${this.reason}. Choose another with --host and --port; port 0 takes any free one.`
  }
}

/** A fake that listens. */
export class FakeServer extends Context.Service<
  FakeServer,
  {
    /** Where it listens, without a slash at the end: the base URL of a client. */
    readonly url: string
  }
>()("@transferkit/fake-server/FakeServer") {
  /** Listens while the layer's scope is open. */
  static readonly layer = (options: Options = {}) => Layer.effect(FakeServer, start(options))
}

const start = Effect.fn("FakeServer.start")(function* (options: Options) {
  const service = yield* Effect.fromResult(FakeService.make(options))
  const { host = "127.0.0.1", port = 0, dataFile } = options
  const [first] = service.sources.values()
  if (dataFile !== undefined && first !== undefined) yield* DataFile.load(dataFile, first.store)
  const server = yield* Effect.acquireRelease(listen(listener(service), host, port), close)
  const address = server.address()
  const actual = typeof address === "object" && address !== null ? address.port : port
  return FakeServer.of({ url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}` })
})

const listen = (onRequest: http.RequestListener, host: string, port: number) =>
  Effect.callback<http.Server, CannotListen>((resume) => {
    const server = http.createServer(onRequest)
    server.once("error", (error) => resume(Effect.fail(new CannotListen({ host, port, reason: error.message }))))
    server.listen(port, host, () => resume(Effect.succeed(server)))
  })

const close = (server: http.Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
  })

/** A fake for programs that don't use Effect. */
export interface RunningFakeServer extends AsyncDisposable {
  /** Where it listens, without a slash at the end: the base URL of a client. */
  readonly url: string
  /** Stops listening, once the requests under way are answered. */
  readonly close: () => Promise<void>
}

/**
 * Starts a fake; rejects with the errors of {@link FakeServer.layer}.
 *
 * @example
 * await using fake = await startFakeServer({ transfers: 100 })
 * (await fetch(`${fake.url}/v1/capabilities`)).status // => 401
 */
export const startFakeServer = (options: Options = {}): Promise<RunningFakeServer> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(start(options), scope)
      const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
      return { url: server.url, close, [Symbol.asyncDispose]: close }
    }),
  )
