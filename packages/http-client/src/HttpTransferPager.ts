/** The wiring that most programs need: the service over HTTP, and a pager over it. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import type { ConfigError } from "effect/Config"
import * as Layer from "effect/Layer"
import * as HttpTransferApi from "./HttpTransferApi.ts"
import type { HttpTransport } from "./HttpTransport.ts"
import type { InvalidConfiguration } from "./InvalidConfiguration.ts"

/** The service at a base URL. */
export const layer = (
  config: HttpTransferApi.HttpTransferApiConfig,
): Layer.Layer<TransferApi | TransferPager, InvalidConfiguration, HttpTransport> =>
  Layer.provideMerge(TransferPager.layer, HttpTransferApi.layer(config))

/** The service of the environment: see {@link HttpTransferApi.layerConfig}. */
export const layerConfig = (
  options?: HttpTransferApi.HttpTransferApiOptions,
): Layer.Layer<TransferApi | TransferPager, InvalidConfiguration | ConfigError, HttpTransport> =>
  Layer.provideMerge(TransferPager.layer, HttpTransferApi.layerConfig(options))
