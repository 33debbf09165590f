/** Tunnels through proxies that never finish an answer, or repeat the password in it. */
import { once } from "node:events"
import * as Https from "node:https"
import * as Net from "node:net"
import { expect, test } from "vitest"
import * as ProxyTunnel from "../src/ProxyTunnel.ts"

const failure = async (proxy: string): Promise<unknown> => {
  const agent = ProxyTunnel.bounded(new Https.Agent({ proxyEnv: { HTTPS_PROXY: proxy } }), 300)
  const request = Https.get("https://service.test", { agent }).on("response", () => undefined)
  const [error] = await once(request, "error").catch((error: unknown) => [error])
  return error
}

test("a proxy that sends its answer slowly loses its connection in time", async () => {
  const closed = Promise.withResolvers<void>()
  const server = Net.createServer((socket) => {
    const drip = setInterval(() => socket.write("x"), 10)
    socket
      .on("error", () => undefined)
      .on("close", () => {
        clearInterval(drip)
        closed.resolve()
      })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as Net.AddressInfo
  const error = await failure(`http://127.0.0.1:${port}`)
  expect(String(error)).toContain("The proxy has opened no connection within 0.3 s")
  await closed.promise
  server.close()
})

test("a proxy that repeats its password is an error without it", async () => {
  const server = Net.createServer((socket) =>
    socket.once("data", (bytes) => {
      const [, login] = /proxy-authorization: (.*)\r/.exec(String(bytes)) ?? []
      socket.end(`HTTP/1.1 407 ${login}\r\n\r\n`)
    }),
  ).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as Net.AddressInfo
  const error = (await failure(`http://me:password@127.0.0.1:${port}`)) as Error
  expect(error.stack).toContain("The proxy has answered CONNECT with status 407")
  expect(error.stack).not.toContain(Buffer.from("me:password").toString("base64"))
  server.close()
})

test.each([
  ["at once", 1, 300_000],
  ["in parts", 400, 1000],
])("a page of a proxy that refuses, sent %s, is an error and ends nothing else", async (_, parts, bytes) => {
  const closed = Promise.withResolvers<void>()
  const server = Net.createServer((socket) => {
    const send = (left: number): void => {
      if (left > 0 && !socket.destroyed) socket.write("x".repeat(bytes), () => setImmediate(send, left - 1))
    }
    socket.on("error", () => undefined).on("close", () => closed.resolve())
    socket.once("data", () => {
      socket.write("HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n")
      send(parts)
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as Net.AddressInfo
  const error = await failure(`http://127.0.0.1:${port}`)
  expect(String(error)).toContain("The proxy has answered CONNECT with status 403")
  // An error without a listener would end the process, and this test.
  await closed.promise
  server.close()
})
