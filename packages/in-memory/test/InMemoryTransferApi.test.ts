import { assert, describe, layer } from "@effect/vitest"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import { sample } from "@transferkit/in-memory/SampleCapabilities"
import * as Effect from "effect/Effect"

describe("InMemoryTransferApi", () => {
  layer(InMemoryTransferApi.layer({ transfers: 45 }))((it) => {
    it.effect("serves the sample capabilities", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* TransferApi).capabilities, sample)
      }),
    )

    it.effect("pages through what it generates", () =>
      Effect.gen(function* () {
        const api = yield* TransferApi
        const first = yield* api.search({})
        const second = yield* api.search({ after_cursor: first.page_info.end_cursor ?? "" })
        const third = yield* api.search({ after_cursor: second.page_info.end_cursor ?? "" })
        const pages = [first, second, third]
        assert.deepStrictEqual(
          pages.map((page) => page.results.length),
          [20, 20, 5],
        )
        assert.deepStrictEqual(
          pages.map((page) => page.page_info.has_next_page),
          [true, true, false],
        )
        assert.strictEqual(new Set(pages.flatMap((page) => page.results.map((transfer) => transfer.id))).size, 45)
      }),
    )

    it.effect("rejects a request as the service does, with an InvalidRequest that names the parameter", () =>
      Effect.gen(function* () {
        const api = yield* TransferApi
        for (const [request, named] of [
          [{ limit: 21 }, "limit"],
          [{ created_at: ["since:yesterday"] }, "created_at"],
          [{ after_cursor: "x" }, "after_cursor"],
        ] as const) {
          const error = yield* Effect.flip(api.search(request))
          assert.strictEqual(error._tag, "InvalidRequest")
          assert.include(error.message, named)
        }
      }),
    )
  })
})
