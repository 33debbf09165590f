/** The wiring of the program: what every command runs on, and the service of those that read transfers. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Dialect from "@transferkit/domain/Dialect"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import type { FileError } from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import type { InvalidConfiguration } from "@transferkit/http-client/InvalidConfiguration"
import type { MirrorError } from "@transferkit/mirror/MirrorError"
import * as CliConfig from "effect/cli/CliConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { builtInFlags, type Globals, isForScript } from "./flags/GlobalFlags.ts"
import * as Presenter from "./help/Presenter.ts"
import * as Traffic from "./progress/Traffic.ts"
import * as TrafficLog from "./progress/TrafficLog.ts"
import * as Settings from "./service/Settings.ts"
import { Screen } from "./terminal/Screen.ts"
import { UsageError } from "./UsageError.ts"

/** Everything a command line runs on. Tests replace the screen. */
export const platform = (screen: Layer.Layer<Screen>, options: { readonly json: boolean }) =>
  Layer.mergeAll(
    Presenter.layer(options),
    CliConfig.layer({ builtIns: builtInFlags }),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  ).pipe(Layer.provideMerge(screen), Layer.provideMerge(NodeServices.layer))

/** The service that the global flags name, and the pager over it. Loaded and configured when a command builds it. */
export const service = (globals: Globals) => TransferPager.layer.pipe(Layer.provideMerge(Layer.unwrap(source(globals))))

type Source = Layer.Layer<
  TransferApi,
  FileError | InvalidConfiguration | MirrorError | UsageError,
  NodeServices.NodeServices
>

/** Where the transfers come from. */
const source = Effect.fnUntraced(function* (globals: Globals) {
  const { from } = globals
  if (from !== undefined && isFile(from)) {
    const FileSource = yield* Effect.promise(() => import("./files/FileSource.ts"))
    const service: Source = FileSource.service(from, globals)
    return service
  }
  if (from !== undefined) {
    const MirrorSource = yield* Effect.promise(() => import("./mirror/MirrorSource.ts"))
    const service: Source = MirrorSource.service(from, globals)
    return service
  }
  if (globals.asOf !== undefined) {
    return yield* new UsageError({ message: "--as-of needs the history of a mirror: give --from." })
  }
  const service: Source = yield* globals.sandbox ? sandbox : overHttp(globals)
  return service
})

/** Whether `--from` names a transfer file rather than a mirror. */
export const isFile = (from: string): boolean => TransferFormat.ofName(from) !== undefined

/** How many transfers the sandbox holds. */
const sandboxTransfers = 5000

const sandbox = Effect.gen(function* () {
  const InMemoryTransferApi = yield* Effect.promise(() => import("@transferkit/in-memory/InMemoryTransferApi"))
  return InMemoryTransferApi.layer({ transfers: sandboxTransfers })
})

const overHttp = Effect.fnUntraced(function* (globals: Globals) {
  const [Credentials, HttpTransferApi, NodeTransport] = yield* Effect.promise(() =>
    Promise.all([
      import("./service/Credentials.ts"),
      import("@transferkit/http-client/HttpTransferApi"),
      import("@transferkit/http-client/NodeTransport"),
    ]),
  )
  const settings = yield* Settings.resolve(globals)
  const hooks = TrafficLog.hooks(yield* Screen, { isForScript: isForScript(globals) })
  return Traffic.countCalls.pipe(
    Layer.provide(HttpTransferApi.layer({ ...(yield* Credentials.of(settings)), ...hooks })),
    Layer.provide(Traffic.countRequests),
    Layer.provide(NodeTransport.layer),
    Layer.merge(Layer.succeed(Dialect.Dialect, { ...Dialect.standard, lteToken: settings.lteToken?.value })),
  )
})
