/** Compressed bodies: requested, decompressed by the transport, bounded by their decompressed size, and rejected if truncated. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import * as Service from "./Service.ts"

const encodings = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["GZIP", gzipSync],
] as const

const page = (count: number): string =>
  JSON.stringify({
    results: Array.from({ length: count }, (_, index) => ({
      id: `t${index}`,
      kind: "cash_in",
      status: "complete",
      created_at: "2024-09-01T00:00:00Z",
    })),
    page_info: { has_next_page: false },
  })

const text = page(20)

const bomb = gzipSync(Buffer.alloc(200 << 20, " "), { level: 1 })

describe.each([
  ["node", NodeTransport.layer],
  ["fetch", FetchTransport.layer()],
] as const)("over %s", (_, transport) => {
  const search = (url: string, options: HttpTransferApi.HttpTransferApiOptions = {}) =>
    TransferApi.use((api) => api.search({})).pipe(
      Effect.result,
      Effect.provide(
        HttpTransferApi.layer({
          baseUrl: url,
          partnerId: "demo",
          secretKey: Redacted.make("demo-secret"),
          retry: { retries: 2, baseDelay: 1 },
          ...options,
        }).pipe(Layer.provide(transport)),
      ),
      Effect.runPromise,
    )

  test.each(encodings)("reads a page in %s, and accepts it in the request", async (encoding, compress) => {
    await using service = await Service.start(
      Service.respond(200, compress(Buffer.from(text)), { "content-encoding": encoding }),
    )
    const result = await search(service.url)
    expect(result).toMatchObject({ _tag: "Success", success: { results: { length: 20 } } })
    expect(service.requests[0]?.headers["accept-encoding"]).toMatch(/\bgzip\b.*\bdeflate\b/)
  })

  test.each(encodings)("retries a truncated body in %s, even if its length is right", async (encoding, compress) => {
    const whole = compress(Buffer.from(text))
    const cut = Service.respond(200, whole.subarray(0, whole.length >> 1), { "content-encoding": encoding })
    await using healing = await Service.start(cut, Service.respond(200, whole, { "content-encoding": encoding }))
    expect(await search(healing.url)).toMatchObject({ _tag: "Success", success: { results: { length: 20 } } })
    expect(healing.requests.length).toBe(2)
    await using broken = await Service.start(cut)
    expect(await search(broken.url)).toMatchObject({ _tag: "Failure", failure: { isRetryable: true } })
    expect(broken.requests.length).toBe(3)
  })

  test("retries if the connection ends within a compressed body", async () => {
    const whole = gzipSync(Buffer.from(text))
    await using service = await Service.start((request, response) => {
      const headers = { "content-type": "application/json", "content-encoding": "gzip", "content-length": whole.length }
      response.writeHead(200, headers).write(whole.subarray(0, whole.length >> 1), () => request.socket.destroy())
    })
    const result = await search(service.url)
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "ConnectionFailed", isRetryable: true } })
    expect(service.requests.length).toBe(3)
  })

  test.each([
    ["bytes that are not gzip", { "content-encoding": "gzip" }],
    ["an encoding that was not accepted", { "content-encoding": "compress" }],
  ])("reports %s as one typed error", async (_, headers) => {
    await using service = await Service.start(Service.respond(200, Buffer.from([0xff, 0xfe, 0xfd, 0xfc]), headers))
    const result = await search(service.url)
    expect(result._tag === "Failure" ? result.failure._tag : "none").toMatch(/ConnectionFailed|MalformedResponse/)
  })

  test("rejects a body of more values than any page has, before they take memory", async () => {
    const many = text.replace('"results"', `"x":[{}${",{}".repeat(260_000)}],"results"`)
    for (const given of [many, "[".repeat(260_000), '{"":'.repeat(260_000)]) {
      await using service = await Service.start(Service.respond(200, gzipSync(given), { "content-encoding": "gzip" }))
      expect(await search(service.url)).toMatchObject({
        _tag: "Failure",
        failure: { _tag: "MalformedResponse", expected: "at most 250000 values" },
      })
    }
    const few = text.replace('"results"', `"x":[{}${",{}".repeat(240_000)}],"results"`)
    await using other = await Service.start(Service.respond(200, Buffer.from(few)))
    expect(await search(other.url)).toMatchObject({ _tag: "Success", success: { results: { length: 20 } } })
  })

  test("rejects a small body that unpacks to 200 MB, in the memory of the limit", async () => {
    expect(bomb.length).toBeLessThan(1 << 20)
    await using service = await Service.start(Service.respond(200, bomb, { "content-encoding": "gzip" }))
    const before = process.memoryUsage()
    let most = 0
    const watch = setInterval(() => {
      const { external, arrayBuffers } = process.memoryUsage()
      most = Math.max(most, external + arrayBuffers - before.external - before.arrayBuffers)
    }, 1)
    const result = await search(service.url, { maxBodyBytes: 1 << 20 })
    clearInterval(watch)
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "MalformedResponse", expected: "at most 1048576 bytes" },
    })
    expect(service.requests.length).toBe(1)
    expect(most).toBeLessThan(64 << 20)
  })

  test("bounds the decompressed size, to the byte", async () => {
    await using service = await Service.start(
      Service.respond(200, gzipSync(Buffer.from(text)), { "content-encoding": "gzip" }),
    )
    expect((await search(service.url, { maxBodyBytes: text.length }))._tag).toBe("Success")
    expect((await search(service.url, { maxBodyBytes: text.length - 1 }))._tag).toBe("Failure")
  })
})
