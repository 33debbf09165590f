/** What `fetch` is asked for, and how much of what it brings is read. */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { expect, test } from "vitest"
import * as BodilessFetch from "../src/BodilessFetch.ts"
import * as FetchTransport from "../src/FetchTransport.ts"

const request = { url: "https://service.example/v1", headers: {}, maxBodyBytes: 1000, timeout: 5000 }

test("no response is kept for whoever asks next, and none is taken from there", async () => {
  const asked: Array<RequestInit> = []
  const transport = FetchTransport.make(async (_, init) => {
    asked.push(init)
    return new Response("{}")
  })
  await Effect.runPromise(transport.get(request))
  expect(asked).toMatchObject([{ cache: "no-store", redirect: "manual" }])
})

test("a body whose compression the browser hides is read up to the limit", async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 500
      controller.enqueue(new Uint8Array(500))
    },
  })
  const response = new Response(endless, { headers: { "content-length": "800" } })
  Object.defineProperty(response, "type", { value: "cors" })
  const transport = FetchTransport.make(async () => response)
  const error = await Effect.runPromise(Effect.flip(transport.get(request)))
  expect(error).toMatchObject({ _tag: "BodyTooLarge", maxBodyBytes: 1000 })
  expect(sent).toBeLessThan(5000)
})

test("a collector that is silent holds 16 requests, and gets no more until one ends", async () => {
  let held: Array<http.ServerResponse> = []
  const server = http.createServer((_, response) => void held.push(response))
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  const post = Effect.map(
    HttpClient.HttpClient.use((client) => client.post(`http://127.0.0.1:${port}/v1/traces`)),
    ({ status }) => status,
  )
  const run = () => Effect.runPromise(Effect.provide(post, BodilessFetch.layer))
  const waiting = Array.from({ length: 16 }, run)
  await expect.poll(() => held.length).toBe(16)
  expect(await run()).toBe(413)
  for (const response of held) response.end()
  held = []
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 16 }, () => 200))
  const next = run()
  await expect.poll(() => held.length).toBe(1)
  held[0]?.end()
  expect(await next).toBe(200)
  server.close()
})
