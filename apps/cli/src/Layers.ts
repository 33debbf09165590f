/** The wiring of the program: the services that every command needs, and the sources of those that read transfers. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import type { SourceError, TransferSource } from "@transferkit/domain/TransferSource"
import type { FileError } from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import type { Options } from "@transferkit/files/node/FileTransferSource"
import type { InvalidConfiguration } from "@transferkit/http-client/InvalidConfiguration"
import type { MirrorError } from "@transferkit/mirror/MirrorError"
import * as CliConfig from "effect/cli/CliConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { builtInFlags } from "./flags/GlobalFlags.ts"
import { Globals, oneProfile } from "./flags/Globals.ts"
import * as Presenter from "./help/Presenter.ts"
import { lazy } from "./Lazy.ts"
import type { Screen } from "./terminal/Screen.ts"
import { UsageError } from "./UsageError.ts"

/** The services that every command needs. Tests replace the screen. */
export const platform = (screen: Layer.Layer<Screen>, options: Parameters<typeof Presenter.layer>[0]) =>
  Layer.mergeAll(
    Presenter.layer(options),
    CliConfig.layer({ builtIns: builtInFlags }),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  ).pipe(Layer.provideMerge(screen), Layer.provideMerge(NodeServices.layer))

type From<Services> = Layer.Layer<
  Services,
  FileError | InvalidConfiguration | InvalidFilter | MirrorError | SourceError | UsageError,
  NodeServices.NodeServices | Globals | Screen
>

/** A source that pages can be read of. One that needs to be held in memory for it is so only then. */
interface Source {
  readonly source: From<TransferSource>
  readonly pages: From<TransferApi | TransferPager | TransferSource>
}

/** The mirror that `--from` names. */
export const mirror = lazy(() => import("./mirror/MirrorSource.ts").then((source) => source.mirror))

const pager = lazy(() => import("@transferkit/domain/TransferPager").then(({ TransferPager: Pager }) => Pager.layer))

const paged = (source: From<TransferApi | TransferSource>): Source => ({
  source,
  pages: pager.pipe(Layer.provideMerge(source)),
})

const ofMirror = paged(lazy(() => import("./mirror/MirrorSource.ts").then(({ layer }) => layer)))

const ofFile = (path: string, options: Options): Source => {
  const source: From<TransferSource> = lazy(() =>
    import("@transferkit/files/node/FileTransferSource").then(({ layer }) => layer(path, options)),
  )
  const held = lazy(() => import("@transferkit/in-memory/InMemoryTransferApi").then(({ layerSource }) => layerSource))
  return { source, pages: pager.pipe(Layer.provideMerge(held), Layer.provideMerge(source)) }
}

const ofPages: Layer.Layer<TransferSource, UsageError, Globals | TransferApi | TransferPager> = lazy(() =>
  import("@transferkit/domain/TransferSource").then(({ TransferSource: Source }) => Source.layerService),
)

const live = (service: From<TransferApi>, source = ofPages): Source => {
  const pages = source.pipe(Layer.provideMerge(pager), Layer.provideMerge(service))
  return { source: pages, pages }
}

const ofService = live(lazy(() => import("./service/HttpService.ts").then(({ layer }) => layer)))

const ofSandbox = live(
  lazy(() => import("./service/Sandbox.ts").then(({ layer }) => layer)),
  lazy(() => import("./service/Sandbox.ts").then(({ source }) => source)),
)

/** The capabilities of a file, in the place of a source. */
export const ofCapabilities = (path: string): From<TransferSource> =>
  lazy(() => import("./files/CapabilitiesFile.ts").then(({ layer }) => layer(path)))

/** The one place that says what `--from` names. */
const named: Effect.Effect<Source, UsageError, Globals> = Effect.gen(function* () {
  const { from, asOf, exportedAs, sandbox, now } = yield* Globals
  yield* oneProfile
  if (from !== undefined && sandbox) return yield* new UsageError({ message: "Give --from or --sandbox, not both." })
  if (now !== undefined && !sandbox) return yield* new UsageError({ message: "--now is for --sandbox: give both." })
  const isFile = from !== undefined && TransferFormat.ofName(from) !== undefined
  if (asOf !== undefined && (from === undefined || isFile)) {
    const what = isFile ? `, and ${from} is a file.` : ": give --from."
    return yield* new UsageError({ message: `--as-of needs the history of a mirror${what}` })
  }
  if (isFile) return ofFile(from, { csvCells: exportedAs })
  if (from !== undefined) return ofMirror
  return sandbox ? ofSandbox : ofService
})

const ofProfile = lazy(() => import("./service/ProfileDialect.ts").then(({ layer }) => layer))

/** What the profile says of its deployment, whatever holds the transfers. The sandbox has the standard dialect. */
const dialect = Layer.unwrap(Effect.map(Globals, ({ sandbox }): From<never> => (sandbox ? Layer.empty : ofProfile)))

/**
 * The transfers that the global flags name.
 *
 * Gotcha: within its own provision, a layer is built once, whatever the flags are by then. So the commands that build it
 * for several profiles, or for the two sides of a comparison, are not provided with it: then each build is a new one.
 */
export const source = Layer.unwrap(Effect.map(named, (one) => one.source)).pipe(Layer.provideMerge(dialect))

/** The same, page by page. Those of a file are held in memory, 3 kB each: a file has no cursor to go on from. */
export const transfers = Layer.unwrap(Effect.map(named, (one) => one.pages)).pipe(Layer.provideMerge(dialect))
