/** `npm start`: prints the transfers that are stuck for more than a day. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StuckTransfers } from "./StuckTransfers.ts"

const program = Effect.gen(function* () {
  const stuck = yield* StuckTransfers
  for (const { id, status, created_at } of yield* stuck.olderThan(1)) yield* Console.log(created_at.text, status, id)
})

// Reads TRANSFERS_BASE_URL, TRANSFERS_PARTNER_ID and TRANSFERS_SECRET_KEY.
const service = HttpTransferApi.layerConfig().pipe(Layer.provide(NodeTransport.layer))

program.pipe(Effect.provide(StuckTransfers.layer.pipe(Layer.provide(service))), NodeRuntime.runMain)
