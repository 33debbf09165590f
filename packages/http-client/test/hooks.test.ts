/** Hooks listen: whatever they do, the call goes on. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { expect, test, vi } from "vitest"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import { createTransferClient } from "../src/promise.ts"
import * as Service from "./Service.ts"

const boom = (): never => {
  throw new Error("boom")
}

test.each([
  ["throw", boom],
  ["reject", async () => boom()],
  [
    "throw what has no text",
    (): never => {
      throw Object.create(null)
    },
  ],
  ["never settle", () => new Promise<void>(() => undefined)],
])("listeners of the Promise client that %s neither fail nor delay a call", async (what, listener) => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const reported = vi.mocked(console.error).mockImplementation(() => undefined)
  const calls = { onRequest: vi.fn(listener), onResponse: vi.fn(listener) }
  const config = { baseUrl: service.url, partnerId: "p", secretKey: "s", ...calls }
  expect((await createTransferClient(config).search()).results).toEqual([])
  expect([calls.onRequest.mock.calls.length, calls.onResponse.mock.calls.length]).toEqual([1, 1])
  await expect.poll(() => reported.mock.calls.length).toBe(what === "never settle" ? 0 : 2)
  reported.mockClear()
})

test("hooks of the Effect client that die are logged, and the call goes on", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const lines: Array<unknown> = []
  const log = Logger.layer([Logger.make(({ message }) => lines.push(message))])
  const config = {
    baseUrl: service.url,
    partnerId: "p",
    secretKey: Redacted.make("s"),
    onRequest: boom,
    onResponse: boom,
  }
  const search = TransferApi.use((api) => api.search({})).pipe(
    Effect.provide(Layer.provide(HttpTransferApi.layer(config), NodeTransport.layer)),
    Effect.provide(log),
  )
  expect((await Effect.runPromise(search)).results).toEqual([])
  expect(lines.map((message) => String(message).split(",")[0])).toEqual([
    "onRequest threw; the call goes on",
    "onResponse threw; the call goes on",
  ])
})
