/** A process that syncs or works, to be killed and paused: ROLE ADDRESS URL MILLIS, by which its clock is wrong. */
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as MirrorSync from "../src/MirrorSync.ts"
import * as MirrorWorkers from "../src/MirrorWorkers.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

const [, , role = "", address = "", baseUrl = "", millis = "0"] = process.argv
const options = { partner_id: "demo", concurrency: 2 }
const service = TransferPager.layer.pipe(
  Layer.provideMerge(HttpTransferApi.layer({ baseUrl, partnerId: "demo", secretKey: Redacted.make("demo-secret") })),
  Layer.provide(NodeTransport.layer),
)
const program =
  role === "sync"
    ? Effect.asVoid(MirrorSync.sync({ ...options, workers: Effect.void }))
    : role === "pass"
      ? Effect.asVoid(MirrorSync.sync(options))
      : MirrorWorkers.work({ ...options, worker: `${role} ${process.pid}` })

await program.pipe(
  Effect.provide(Layer.merge(service, TransferMirror.layer(address))),
  Effect.updateService(Clock.Clock, (clock): Clock.Clock =>
    Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + Number(millis)),
    }),
  ),
  Effect.runPromise,
)
