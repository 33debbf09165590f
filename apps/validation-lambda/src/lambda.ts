/** The bundle's entry: the handler, set up from the environment. */
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Handler from "./Handler.ts"
import * as Settings from "./Settings.ts"

const settings = Result.getOrThrow(Settings.parse(process.env))

/** Set as the function's handler: `lambda.handler`. */
export const handler = Handler.make({
  settings,
  transferApi: HttpTransferApi.layer({
    baseUrl: settings.baseUrl,
    partnerId: settings.partnerId,
    secretKey: settings.secret._tag === "Value" ? settings.secret.secretKey : Redacted.make(""),
    attemptTimeout: "3 seconds",
    deadline: "8 seconds",
  }).pipe(Layer.provide(NodeTransport.layer)),
  write: (line) => process.stdout.write(line),
})
