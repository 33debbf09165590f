/** `node effect-http-client.ts`: what the service supports, through a program's own Effect `HttpClient`. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as HttpClientTransport from "@transferkit/http-client/HttpClientTransport"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const program = Effect.gen(function* () {
  const { capabilities } = yield* TransferApi
  const { supported_currencies } = yield* capabilities
  for (const { currency_code, currency_name } of supported_currencies) yield* Console.log(currency_code, currency_name)
})

// Any HttpClient will do: one behind a proxy, one with your middleware, a mock.
const service = HttpTransferApi.layerConfig().pipe(
  Layer.provide(HttpClientTransport.layer),
  Layer.provide(FetchHttpClient.layer),
)

program.pipe(Effect.provide(service), NodeRuntime.runMain)
