/** The fake on a socket: a layer for Effect programs and tests, a promise for all others. */
import * as http from "node:http"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as FakeOptions from "./FakeOptions.ts"
import type * as Fault from "./Fault.ts"
import * as DataFile from "./internal/data/dataFile.ts"
import type * as NewTransfer from "./internal/data/newTransfer.ts"
import * as ActiveRules from "./internal/faults/activeRules.ts"
import * as CallerCheck from "./internal/http/callerCheck.ts"
import * as Listener from "./internal/http/listener.ts"
import * as FakeState from "./internal/state/fakeState.ts"
import * as Journal from "./Journal.ts"

/** Requests to paths, or with methods, that the service does not have. */
export class UnhandledRequests extends Data.TaggedError("UnhandledRequests")<{
  readonly requests: ReadonlyArray<Journal.Entry>
}> {
  override get message(): string {
    const list = this.requests.map(({ method, path, status }) => `  ${method} ${path} → ${status}`)
    return `The fake got requests that the service does not have:\n${list.join("\n")}`
  }
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

/** Control over a running fake. */
export interface Controls {
  /** The base URL for a client, without a trailing slash. */
  readonly url: string
  /** Inserts transfers and returns their ids; missing fields are generated. Throws if one is not a transfer. */
  readonly insert: (transfers: ReadonlyArray<NewTransfer.PartialTransfer>, partner?: string) => ReadonlyArray<string>
  /** Adds fault rules. Throws `InvalidRule` for a rule that cannot work. */
  readonly addFaults: (...rules: ReadonlyArray<Fault.Rule>) => void
  /** Removes all fault rules. */
  readonly clearFaults: () => void
  /** The latest requests, oldest first. Throws `UnknownFilter` for an unknown field. */
  readonly requests: (filter?: Journal.Filter) => ReadonlyArray<Journal.Entry>
  /** Throws `UnexpectedRequests`, which lists the requests, unless exactly `times` requests pass the filter. */
  readonly expectRequests: (filter: Journal.Filter, times: number) => void
}

/** A running fake. */
export class FakeServer extends Context.Service<FakeServer, Controls>()("@transferkit/fake/FakeServer") {
  /** Listens while the layer's scope is open. */
  static readonly layer = (options: FakeOptions.FakeOptions = {}) => Layer.effect(FakeServer, start(options))
}

const start = Effect.fn("FakeServer.start")(function* (options: FakeOptions.FakeOptions) {
  yield* Effect.fromResult(FakeOptions.validate(options))
  const { host = "127.0.0.1", port = 0, dataFile, failOnUnhandled = false } = options
  const clock = yield* Clock.Clock
  const service = yield* Effect.fromResult(FakeState.make(options, () => clock.currentTimeMillisUnsafe()))
  const [first] = service.sources.values()
  if (dataFile !== undefined && first !== undefined) {
    yield* DataFile.load(dataFile, first.store)
    FakeState.remember(service)
  }
  yield* Effect.fromResult(FakeState.startRules(service))
  if (failOnUnhandled) yield* Effect.addFinalizer(() => handledAll(service))
  const listener = Listener.make(service, {
    adminToken: options.adminToken,
    callers: CallerCheck.make(host, options.allowHosts ?? []),
    report: (line) => process.stderr.write(`transfers-fake: ${line}\n`),
  })
  const listening = listen(listener, { host, port, ...limitsOf(options) })
  const { server } = yield* Effect.acquireRelease(listening, close)
  const address = server.address()
  const actual = typeof address === "object" && address !== null ? address.port : port
  return FakeServer.of(controls(service, `http://${nameOf(host)}:${actual}`))
})

/** The host of the URL. A wildcard address is not one to connect to. */
const nameOf = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/** A finalizer can only fail by a defect. */
const handledAll = ({ journal }: FakeState.FakeState) =>
  Effect.suspend(() => {
    const requests = Journal.entries(journal).filter(
      ({ status, faults }) => faults.length === 0 && [404, 405].includes(status),
    )
    return requests.length === 0 ? Effect.void : Effect.die(new UnhandledRequests({ requests }))
  })

const controls = (service: FakeState.FakeState, url: string): Controls => ({
  url,
  insert: (transfers, partner) => {
    const source = Result.getOrThrow(FakeState.sourceOf(service, partner))
    return Result.getOrThrow(FakeState.insert(service, source, transfers))
  },
  addFaults: (...rules) => Result.getOrThrow(FakeState.addRules(service, rules)),
  clearFaults: () => ActiveRules.clear(service.rules),
  requests: (filter = {}) => Journal.select(Journal.entries(service.journal), filter),
  expectRequests: (filter, times) => Journal.expectRequests(Journal.entries(service.journal), filter, times),
})

interface Limits {
  readonly headersTimeout: number
  readonly requestTimeout: number
}

/** Node's own limits, in milliseconds: a slower request gets 408. */
const limitsOf = ({
  headTimeLimit = FakeOptions.defaultLimits.headTimeLimit,
  requestTimeLimit = FakeOptions.defaultLimits.requestTimeLimit,
}: FakeOptions.FakeOptions): Limits => ({
  headersTimeout: Duration.toMillis(headTimeLimit),
  requestTimeout: Duration.toMillis(requestTimeLimit),
})

/** Longer headers get 431. */
const maxHeaderSize = 16 * 1024

interface Listening {
  readonly server: http.Server
  readonly listener: Listener.Listener
}

const listen = (
  listener: Listener.Listener,
  { host, port, ...limits }: Limits & { readonly host: string; readonly port: number },
) =>
  Effect.callback<Listening, CannotListen>((resume) => {
    const connectionsCheckingInterval = Math.min(1000, limits.headersTimeout)
    const options = { ...limits, maxHeaderSize, connectionsCheckingInterval, keepAliveTimeout: 60_000 }
    // The listener rejects a missing Host, in the shape of all errors.
    const server = http.createServer({ ...options, requireHostHeader: false }, listener.onRequest)
    server.on("checkExpectation", listener.onExpectation)
    server.on("connect", listener.onConnect)
    server.on("clientError", listener.onClientError)
    server.once("error", (error) => resume(Effect.fail(new CannotListen({ host, port, reason: error.message }))))
    server.listen(port, host, () => resume(Effect.succeed({ server, listener })))
  })

/** The time limit of requests under way when the fake stops, and the interval of checks, in milliseconds. */
const graceMs = 5000
const checkMs = 20

/** Closes connections as they become idle, and all of them when the time limit is over. */
const close = ({ server, listener }: Listening) =>
  Effect.callback<void>((resume) => {
    const watch = setInterval(() => server.closeIdleConnections(), checkMs)
    const end = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(watch)
      clearTimeout(end)
      resume(Effect.void)
    })
    listener.stop()
    server.closeIdleConnections()
  })

/** A running fake for programs without Effect. */
export interface RunningFakeServer extends AsyncDisposable, Controls {
  /** Stops listening and completes the requests under way. */
  readonly close: () => Promise<void>
}

/**
 * Starts a fake; rejects with the errors of {@link FakeServer.layer}.
 *
 * @example
 * await using fake = await startFakeServer({ transfers: 100 })
 * (await fetch(`${fake.url}/v1/capabilities`)).status // => 401
 */
export const startFakeServer = (options: FakeOptions.FakeOptions = {}): Promise<RunningFakeServer> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Effect.onError(Scope.provide(start(options), scope), () => Scope.close(scope, Exit.void))
      const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
      return { ...server, close, [Symbol.asyncDispose]: close }
    }),
  )
