import { once } from "node:events"
import { readFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { expect, test } from "vitest"
import * as FreePort from "../FreePort.ts"

test("skips a port that a server listens on", async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port: taken } = server.address() as AddressInfo
  const free = await FreePort.find()
  const draws = [taken, taken, free]
  expect(await FreePort.find(() => draws.shift() ?? 0)).toBe(free)
  server.close()
})

test("finds a port that a server can listen on at once, and that no outgoing connection is given", async () => {
  const port = await FreePort.find()
  const server = createServer().listen(port, "127.0.0.1")
  await once(server, "listening")
  server.close()
  expect(port).toBeGreaterThan(1023)
  const outgoing =
    process.platform === "linux" ? readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8") : "49152"
  expect(port).toBeLessThan(Number.parseInt(outgoing))
})
