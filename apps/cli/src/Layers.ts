/** The wiring of the program: the services that every command needs, and the sources of those that read transfers. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import * as Origin from "@transferkit/domain/Origin"
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
import { builtInFlags } from "./flags/GlobalFlags.ts"
import { Globals } from "./flags/Globals.ts"
import * as Presenter from "./help/Presenter.ts"
import { lazy } from "./Lazy.ts"
import * as Settings from "./service/Settings.ts"
import type { Screen } from "./terminal/Screen.ts"
import { UsageError } from "./UsageError.ts"

/** The services that every command needs. Tests replace the screen. */
export const platform = (screen: Layer.Layer<Screen>, options: { readonly json: boolean }) =>
  Layer.mergeAll(
    Presenter.layer(options),
    CliConfig.layer({ builtIns: builtInFlags }),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  ).pipe(Layer.provideMerge(screen), Layer.provideMerge(NodeServices.layer))

type Source = Layer.Layer<
  TransferApi,
  FileError | InvalidConfiguration | InvalidFilter | MirrorError | UsageError,
  NodeServices.NodeServices | Globals | Screen
>

/** How many transfers the sandbox holds. */
const sandboxTransfers = 5000

/** The mirror that `--from` names. */
export const mirror = lazy(() => import("./mirror/MirrorSource.ts").then((source) => source.mirror))

const ofMirror: Source = lazy(() => import("./mirror/MirrorSource.ts").then(({ layer }) => layer))
const ofFile = (path: string): Source => lazy(() => import("./files/FileSource.ts").then(({ layer }) => layer(path)))
const ofService: Source = lazy(() => import("./service/HttpService.ts").then(({ layer }) => layer))
const ofSandbox: Source = lazy(() =>
  import("@transferkit/in-memory/InMemoryTransferApi").then(({ layer }) =>
    layer({ transfers: sandboxTransfers, origin: Origin.sandbox }),
  ),
)

const source: Effect.Effect<Source, UsageError, Globals> = Effect.gen(function* () {
  const { from, asOf, sandbox } = yield* Globals
  yield* Settings.oneProfile
  if (from !== undefined) return isFile(from) ? ofFile(from) : ofMirror
  if (asOf === undefined) return sandbox ? ofSandbox : ofService
  return yield* new UsageError({ message: "--as-of needs the history of a mirror: give --from." })
})

/**
 * The transfers that the global flags name, and the pager over them.
 *
 * Gotcha: within its own provision, a layer is built once, whatever the flags are by then. Who builds it for several
 * profiles builds `Layer.fresh` of it.
 */
export const transfers = TransferPager.layer.pipe(Layer.provideMerge(Layer.unwrap(source)))

/** Whether `--from` names a transfer file rather than a mirror. */
export const isFile = (from: string): boolean => TransferFormat.ofName(from) !== undefined
