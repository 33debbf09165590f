import * as TransferPager from "@transferkit/domain/TransferPager"
import { FakeServer } from "@transferkit/fake-server/FakeServer"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"

const pages = 400
const latency = 50

test("a scan with 16 requests at once is many times as fast as page after page, at 50 ms a request", async () => {
  const { took, count } = await Effect.gen(function* () {
    const { url } = yield* FakeServer
    const client = TransferPager.TransferPager.layer.pipe(
      Layer.provide(
        HttpTransferApi.layer({ baseUrl: url, partnerId: "demo", secretKey: Redacted.make("demo-secret") }),
      ),
      Layer.provide(NodeTransport.layer),
    )
    return yield* Effect.gen(function* () {
      const pager = yield* TransferPager.TransferPager
      const began = yield* Clock.currentTimeMillis
      const count = yield* Stream.runFold(
        pager.scan({}, { concurrency: 16 }),
        () => 0,
        (sum, { results }) => sum + results.length,
      )
      return { count, took: (yield* Clock.currentTimeMillis) - began }
    }).pipe(Effect.provide(client))
  }).pipe(
    Effect.provide(
      FakeServer.layer({
        transfers: pages * 20,
        latency: { from: Duration.millis(latency), to: Duration.millis(latency) },
      }),
    ),
    Effect.runPromise,
  )
  expect(count).toBe(pages * 20)
  // Page after page, the waits alone take this long. Both sides share this machine with other tests, so this is far from what it can do.
  expect((pages * latency) / took).toBeGreaterThan(7)
})
