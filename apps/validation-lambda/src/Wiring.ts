/** How the function is put together: settings → key → service → capabilities, on the platform of AWS. */
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Layer from "effect/Layer"
import * as Log from "./Log.ts"
import * as CapabilitiesCache from "./service/CapabilitiesCache.ts"
import * as PartnerKey from "./service/PartnerKey.ts"
import * as RotatingTransferApi from "./service/RotatingTransferApi.ts"
import { Settings } from "./Settings.ts"

/** Everything that invocations share. It needs an HTTP transport, and reads the `ConfigProvider` in force. */
export const services = CapabilitiesCache.layer.pipe(
  Layer.provideMerge(RotatingTransferApi.layer),
  Layer.provideMerge(PartnerKey.layer),
  Layer.provideMerge(Settings.layer),
)

/** Connections by `node:http`, and the log on stdout. */
const platform = Layer.merge(
  NodeTransport.layer,
  Log.layer((line) => process.stdout.write(line)),
)

/** The function as it is deployed. */
export const layer = Layer.provideMerge(services, platform)
