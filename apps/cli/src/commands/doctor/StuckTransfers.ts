/** Counts the transfers that should have been completed or declined by now. */
import type { Check } from "@transferkit/conformance/ServiceCheck"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import { counted } from "@transferkit/domain/Quantity"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { now } from "../../filter/Now.ts"
import type { Credentials } from "../../service/Credentials.ts"

/** Older transfers are left out: the service cannot filter by status, so all of them would have to be read. */
const [youngest, oldest] = ["24h", "7d"]

/** The check. */
export const check = (credentials: Credentials): Effect.Effect<Check> =>
  count.pipe(
    Effect.provide(
      TransferPager.layer.pipe(Layer.provide(HttpTransferApi.layer(credentials)), Layer.provide(NodeTransport.layer)),
    ),
    Effect.timeout("20 seconds"),
    Effect.map(({ open, all }): Check => {
      const found = `${open} of ${counted(all, "transfer")} of the last ${oldest} ${open === 1 ? "is" : "are"} open after ${youngest}`
      const advice = `List them: transfers search --stuck ${youngest} --since ${oldest} --all`
      return open === 0
        ? { check: "stuck", verdict: "ok", found, advice: "" }
        : { check: "stuck", verdict: "warning", found, advice }
    }),
    Effect.catch((error) =>
      Effect.succeed<Check>({
        check: "stuck",
        verdict: "warning",
        found: error._tag === "TimeoutError" ? "not counted within 20 seconds" : error.message,
        advice: `Count them without a limit: transfers summary --stuck ${youngest} --by status`,
      }),
    ),
  )

const count = Effect.gen(function* () {
  const at = yield* now
  const pager = yield* TransferPager
  const dialect = yield* Dialect.Dialect
  const [from, to] = yield* Effect.all([
    Effect.fromResult(TimeSpan.age(oldest, { now: at })),
    Effect.fromResult(TimeSpan.age(youngest, { now: at })),
  ])
  const created_at = CreatedAt.and(CreatedAt.gte(from), CreatedAt.lt(to))
  return yield* Stream.runFold(
    pager.scan({ created_at }),
    () => ({ open: 0, all: 0 }),
    (counts, { results }) => ({
      open: counts.open + results.filter(({ status }) => Dialect.isOpen(dialect, status)).length,
      all: counts.all + results.length,
    }),
  )
})
