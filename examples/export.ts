/** `node export.ts YEAR-MONTH`: all transfers of a month (UTC) as NDJSON, eight pages at once. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"

const [month = ""] = process.argv.slice(2)
const start = new Date(`${month}-01T00:00:00Z`)
const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))

const program = Effect.gen(function* () {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  const created_at = CreatedAt.between(Timestamp.fromDate(start), Timestamp.fromDate(end))
  yield* Stream.runForEach(pager.scan({ created_at }, { concurrency: 8, report }), ({ results }) =>
    // A transfer is written as it came: amounts keep their digits, unknown fields are kept.
    Effect.forEach(results, (transfer) => Console.log(JSON.stringify(transfer))),
  )
  const { tally, completeness } = yield* Ref.get(report)
  yield* Console.error(`${tally.transfers} transfers, ${completeness._tag}`)
})

const service = HttpTransferApi.layerConfig().pipe(Layer.provide(NodeTransport.layer))

program.pipe(Effect.provide(TransferPager.TransferPager.layer.pipe(Layer.provide(service))), NodeRuntime.runMain)
