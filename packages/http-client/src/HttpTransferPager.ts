/** The wiring that most programs need: the service over HTTP, and a pager over it. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import * as Pager from "@transferkit/domain/TransferPager"
import type { ConfigError } from "effect/Config"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as HttpTransferApi from "./HttpTransferApi.ts"
import type { HttpTransport } from "./HttpTransport.ts"
import * as Telemetry from "./internal/call/Telemetry.ts"
import type { InvalidConfiguration } from "./InvalidConfiguration.ts"

type Config = HttpTransferApi.HttpTransferApiConfig | HttpTransferApi.RenewableConfig
type Services = TransferApi | Pager.TransferPager

/** The service at a base URL. */
export const layer = (config: Config): Layer.Layer<Services, InvalidConfiguration, HttpTransport> =>
  Layer.provideMerge(pager, HttpTransferApi.layer(config))

/** The service at a base URL, over the program's own client: see {@link HttpTransferApi.layerHttpClient}. */
export const layerHttpClient = (config: Config): Layer.Layer<Services, InvalidConfiguration, HttpClient.HttpClient> =>
  Layer.provideMerge(pager, HttpTransferApi.layerHttpClient(config))

/** The service of the environment: see {@link HttpTransferApi.layerConfig}. */
export const layerConfig = (
  options?: HttpTransferApi.HttpTransferApiOptions,
): Layer.Layer<Services, InvalidConfiguration | ConfigError, HttpTransport> =>
  Layer.provideMerge(pager, HttpTransferApi.layerConfig(options))

type Read<A, O> = (
  query: Parameters<Pager.TransferPager["Service"]["pages"]>[0],
  options?: O,
) => Pager.TransferStream<A>

/** Counts what a pager drops. */
const counting =
  <A, O extends Pager.PagerOptions>(read: Read<A, O | Pager.PagerOptions>): Read<A, O> =>
  (query, options) =>
    Stream.suspend(() => {
      const report = options?.report ?? Ref.makeUnsafe(Pager.emptyReport)
      const count = Effect.flatMap(Ref.get(report), ({ tally }) => Telemetry.countDuplicates(tally.duplicates))
      return Stream.ensuring(read(query, { ...options, report }), count)
    })

const pager: Layer.Layer<Pager.TransferPager, never, TransferApi> = Layer.effect(
  Pager.TransferPager,
  Effect.map(Pager.make, ({ pages, transfers, scan }) => ({
    pages: counting<ReadonlyArray<Pager.Batch["results"][number]>, Pager.PagesOptions>(pages),
    transfers: counting<Pager.Batch["results"][number], Pager.PagesOptions>(transfers),
    scan: counting<Pager.Batch, Pager.ScanOptions>(scan),
  })),
)
