/** Kept-alive connections: a response belongs to the request that was sent before it. */
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { HttpTransport } from "../src/HttpTransport.ts"
import * as NodeTransport from "../src/NodeTransport.ts"

const response = (body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

/** A service that responds with the numbers of the connection and of the request on it, or closes the connection. */
const startService = async (closes: (connection: number, request: number) => boolean = () => false) => {
  let connections = 0
  const sockets = new Set<Net.Socket>()
  const server = Net.createServer((socket) => {
    const own = ++connections
    let requests = 0
    sockets.add(socket.on("error", () => {}))
    socket.on("data", () => {
      requests++
      if (closes(own, requests)) socket.resetAndDestroy()
      else socket.write(response(`${own}.${requests}`))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    connections: () => connections,
    /** Sends a text on all connections. */
    send: (text: string) => Effect.sync(() => sockets.forEach((socket) => socket.write(text))),
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const get = (url: string) =>
  Effect.map(
    HttpTransport.use((transport) => transport.get({ url, headers: {}, maxBodyBytes: 1000, timeout: 5000 })),
    ({ body }) => Buffer.from(body).toString(),
  )

test.each([
  ["a whole response", response("forged")],
  ["the beginning of one", "HTTP/1.1 200 OK\r\n"],
  ["a line break", "\r\n"],
])("a connection on which %s arrived unasked is not used again", async (_, unasked) => {
  await using service = await startService()
  // The bytes have been read when the next request is sent; or they have arrived and are unread.
  for (const pause of ["30 millis", undefined] as const) {
    const bodies = await Effect.runPromise(
      Effect.gen(function* () {
        const first = yield* get(service.url)
        yield* service.send(unasked)
        if (pause !== undefined) yield* Effect.sleep(pause)
        return [first, yield* get(service.url), yield* get(service.url)]
      }).pipe(Effect.provide(NodeTransport.layer)),
    )
    expect(bodies).toEqual(pause === undefined ? ["3.1", "4.1", "4.2"] : ["1.1", "2.1", "2.2"])
  }
})

test("sends a request again, once, if the service closes the connection that an earlier one left", async () => {
  await using service = await startService((connection, request) => connection === 1 && request === 2)
  const bodies = Effect.all([get(service.url), get(service.url)]).pipe(Effect.provide(NodeTransport.layer))
  expect(await Effect.runPromise(bodies)).toEqual(["1.1", "2.1"])
})

test("does not send a request again if the service closes a connection of its own", async () => {
  await using service = await startService((connection, request) => connection > 1 || request === 2)
  const closed = { _tag: "TransportFailed", kind: "connection" }
  // The second request is sent again on a new connection, the third begins with one.
  const failures = Effect.gen(function* () {
    yield* get(service.url)
    return [yield* Effect.flip(get(service.url)), yield* Effect.flip(get(service.url))]
  }).pipe(Effect.provide(NodeTransport.layer))
  expect(await Effect.runPromise(failures)).toMatchObject([closed, closed])
  expect(service.connections()).toBe(3)
})
