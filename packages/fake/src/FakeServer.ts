/** The fake on a socket: a layer for Effect programs and tests, a promise for all others. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as FakeOptions from "./FakeOptions.ts"
import type * as FaultRule from "./FaultRule.ts"
import type * as NewTransfer from "./internal/data/NewTransfer.ts"
import * as ActiveRules from "./internal/faults/ActiveRules.ts"
import * as CallerCheck from "./internal/http/CallerCheck.ts"
import * as Certificate from "./internal/http/Certificate.ts"
import * as Listener from "./internal/http/Listener.ts"
import * as Serve from "./internal/http/Serve.ts"
import * as RecordingFile from "./internal/recording/RecordingFile.ts"
import * as Replay from "./internal/recording/Replay.ts"
import { say } from "./internal/Say.ts"
import * as Arrivals from "./internal/state/Arrivals.ts"
import * as FakeState from "./internal/state/FakeState.ts"
import * as InputFiles from "./internal/state/InputFiles.ts"
import * as Journal from "./Journal.ts"
import * as RequestFilter from "./RequestFilter.ts"

/**
 * Requests to paths, or with methods, that the service does not have: what closing rejects with, if `failOnUnhandled`.
 *
 * @example
 * const fake = await startFakeServer({ failOnUnhandled: true })
 * await fetch(`${fake.url}/v2/transfers`)
 * (await fake.close().catch((error) => error)).requests.map(({ path }) => path) // => ["/v2/transfers"]
 */
export class UnhandledRequests extends Data.TaggedError("UnhandledRequests")<{
  readonly requests: ReadonlyArray<Journal.Entry>
}> {
  override get message(): string {
    const list = this.requests.map(({ method, path, status }) => `  ${method} ${path} → ${status}`)
    return `The fake got requests that the service does not have:\n${list.join("\n")}`
  }
}

/**
 * Control over a running fake.
 *
 * @example
 * await using fake = await startFakeServer()
 * fake.addFaults({ times: 1, faults: [{ fault: "status", status: 503 }] })
 * (await fetch(`${fake.url}/v1/capabilities`, { headers })).status // => 503
 * fake.insert([{ id: "tr_1" }, { id: "tr_2" }]) // => ["tr_1", "tr_2"]
 */
export interface Controls {
  /** The base URL for a client, without a trailing slash. */
  readonly url: string
  /** With `tls`, the certificate of the authority that clients must trust, as PEM. It is another one at each start. */
  readonly ca: string | undefined
  /** Inserts transfers and returns their ids; missing fields are generated. Throws if one is not a transfer. */
  readonly insert: (transfers: ReadonlyArray<NewTransfer.PartialTransfer>, partner?: string) => ReadonlyArray<string>
  /** Adds fault rules. Throws `InvalidRule` for a rule that cannot work. */
  readonly addFaults: (...rules: ReadonlyArray<FaultRule.Rule>) => void
  /** Removes all fault rules. */
  readonly clearFaults: () => void
  /** The latest requests, oldest first. Throws `UnknownFilter` for an unknown field. */
  readonly requests: (filter?: RequestFilter.Filter) => ReadonlyArray<Journal.Entry>
  /** Throws `UnexpectedRequests`, which lists the requests, unless exactly `times` requests pass the filter. */
  readonly expectRequests: (filter: RequestFilter.Filter, times: number) => void
}

/**
 * A running fake, for programs and tests on Effect.
 *
 * @example
 * const program = FakeServer.use(({ url }) => Effect.promise(() => fetch(`${url}/v1/capabilities`, { headers })))
 * (await Effect.runPromise(Effect.provide(program, FakeServer.layer({ transfers: 100 })))).status // => 200
 */
export class FakeServer extends Context.Service<FakeServer, Controls>()("@transferkit/fake/FakeServer") {
  /** Listens while the layer's scope is open. */
  static readonly layer = (options: FakeOptions.FakeOptions = {}) => Layer.effect(FakeServer, start(options))
}

const start = Effect.fn("FakeServer.start")(function* (options: FakeOptions.FakeOptions) {
  yield* Effect.fromResult(FakeOptions.validate(options))
  const {
    host = "127.0.0.1",
    port = 0,
    dataFile,
    faultsFile,
    replayFile,
    reload = false,
    failOnUnhandled = false,
  } = options
  const clock = yield* Clock.Clock
  const replay = replayFile === undefined ? undefined : Replay.of(yield* RecordingFile.read(replayFile))
  const { data = [], capabilities = replay?.capabilities } = options
  const content = { ...options, data: [...data, ...(replay?.transfers ?? [])], capabilities }
  const service = yield* Effect.fromResult(FakeState.make(content, () => clock.currentTimeMillisUnsafe(), replay))
  if (dataFile !== undefined) yield* InputFiles.readData(service, dataFile)
  yield* Effect.fromResult(FakeState.setStartRules(service, options.faults ?? []))
  if (faultsFile !== undefined) yield* InputFiles.readFaults(service, faultsFile)
  if (reload) {
    const reread = (read: Effect.Effect<number, Error>, what: string) =>
      Effect.match(read, {
        onSuccess: (count) => say(`Read ${what} again: ${count}.`),
        onFailure: (error) => say(`${error.message} Nothing has changed.`),
      })
    if (dataFile !== undefined) {
      const read = reread(InputFiles.readData(service, dataFile), `the transfers of ${dataFile}`)
      yield* Effect.forkScoped(InputFiles.onChange(dataFile, read))
    }
    if (faultsFile !== undefined) {
      const read = reread(InputFiles.readFaults(service, faultsFile), `the fault rules of ${faultsFile}`)
      yield* Effect.forkScoped(InputFiles.onChange(faultsFile, read))
    }
  }
  if (options.onRequest !== undefined) service.journal.listeners.add(options.onRequest)
  if (failOnUnhandled) yield* Effect.addFinalizer(() => handledAll(service))
  if (options.arrivals !== undefined) yield* Effect.forkScoped(Arrivals.arrive(service, options.arrivals))
  const listener = Listener.make(service, {
    adminToken: options.adminToken,
    callers: CallerCheck.make(host, options.allowHosts ?? []),
    corsOrigins: options.corsOrigins ?? [],
    report: say,
  })
  const certificate =
    options.tls === true
      ? yield* Effect.promise(() => Certificate.make(namesOf(options), clock.currentTimeMillisUnsafe()))
      : undefined
  const url = yield* Serve.serve(listener, { host, port, certificate, ...Serve.limitsOf(options) })
  return FakeServer.of(controls(service, url, certificate?.ca))
})

/** The names that the certificate is for. */
const namesOf = ({ host, allowHosts = [] }: FakeOptions.FakeOptions): ReadonlyArray<string> => [
  ...new Set(["localhost", "127.0.0.1", "::1", ...(host === undefined ? [] : [host]), ...allowHosts]),
]

/** A finalizer can only fail by a defect. */
const handledAll = ({ journal }: FakeState.FakeState) =>
  Effect.suspend(() => {
    const requests = Journal.entries(journal).filter(
      ({ status, faults }) => faults.length === 0 && [404, 405].includes(status),
    )
    return requests.length === 0 ? Effect.void : Effect.die(new UnhandledRequests({ requests }))
  })

const controls = (service: FakeState.FakeState, url: string, ca: string | undefined): Controls => ({
  url,
  ca,
  insert: (transfers, partner) => {
    const source = Result.getOrThrow(FakeState.sourceOf(service, partner))
    return Result.getOrThrow(FakeState.insert(service, source, transfers))
  },
  addFaults: (...rules) => Result.getOrThrow(FakeState.addRules(service, rules)),
  clearFaults: () => ActiveRules.clear(service.rules),
  requests: (filter = {}) => RequestFilter.select(Journal.entries(service.journal), filter),
  expectRequests: (filter, times) => RequestFilter.expectRequests(Journal.entries(service.journal), filter, times),
})

/**
 * A running fake for programs without Effect.
 *
 * @example
 * const fake = await startFakeServer()
 * await fake.close()
 * await fetch(fake.url).catch((error) => error.message) // => "fetch failed"
 */
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
