/** Tunnels through proxies that never finish an answer. */
import { once } from "node:events"
import * as Https from "node:https"
import * as Net from "node:net"
import { expect, test } from "vitest"
import * as ProxyTunnel from "../src/ProxyTunnel.ts"

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
  const agent = ProxyTunnel.bounded(new Https.Agent({ proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${port}` } }), 300)
  const [error] = await once(
    Https.get("https://service.test", { agent }).on("response", () => undefined),
    "error",
  ).catch((error: unknown) => [error])
  expect(String(error)).toContain("The proxy has opened no connection within 0.3 s")
  await closed.promise
  server.close()
})
