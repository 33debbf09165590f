/** Clients of HTTP that read nothing, are too many, send each byte alone, or do not wait for answers. */
import { once } from "node:events"
import type { Server } from "node:http"
import * as Net from "node:net"
import { afterEach, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import * as BoundedServer from "../src/BoundedServer.ts"

let server: Server
const sockets: Array<Net.Socket> = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

const listen = async (limits?: { readonly most: number; readonly patience: number }) => {
  server = BoundedServer.make(limits)
  await once(server.listen(0, "127.0.0.1"), "listening")
}

const connect = async () => {
  const { port } = server.address() as Net.AddressInfo
  const socket = Net.connect(port, "127.0.0.1")
  sockets.push(socket.on("error", () => {}))
  await once(socket, "connect")
  return socket
}

const get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n"

test("a client that does not read its answer is disconnected, and one that waits for its answer is not", async () => {
  await listen({ most: 10, patience: 200 })
  const ends: Array<() => void> = []
  server.on("request", ({ url }, response) => {
    if (url === "/") response.end(Buffer.alloc(64 << 20))
    else ends.push(() => void response.end("late"))
  })
  const [greedy, patient] = [await connect(), await connect()]
  patient.write(get.replace("/", "/late"))
  const [connection] = (await Promise.all([once(server, "request"), greedy.pause().write(get)]))[0]
  await once(connection.socket, "close")
  expect(await new Promise((resolve) => void server.getConnections((_, count) => resolve(count)))).toBe(1)
  const answered = once(patient, "data")
  for (const end of ends) end()
  expect(String(await answered)).toContain("late")
})

test("a connection without a request is closed", async () => {
  await listen({ most: 10, patience: 200 })
  const idle = await connect()
  await once(idle.resume(), "close")
  expect(idle.destroyed).toBe(true)
})

test("more connections than there is room for are closed", async () => {
  await listen({ most: 2, patience: 10_000 })
  server.on("request", (_, response) => response.end("here"))
  const [first] = [await connect(), await connect()]
  await once(await connect(), "close")
  first.write(get)
  expect(String(await once(first, "data"))).toContain("here")
})

test("a body in more parts than a network makes of it is not read", async () => {
  await listen()
  let parts = 0
  server.on("request", (request, response) => {
    request.on("data", () => parts++)
    request.on("error", () => {}).on("end", () => response.end())
  })
  const socket = await connect()
  const closed = new Promise((resolve) => void socket.on("close", resolve))
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(100_000))
  await closed
  expect(parts).toBeGreaterThan(1000)
  expect(parts).toBeLessThanOrEqual(4096)
})

test("a client that sends a request before it has the answer to another is disconnected, and one that waits is not", async () => {
  await listen()
  let requests = 0
  server.on("request", (_, response) => {
    requests++
    setTimeout(() => response.end("here"), 20)
  })
  const [hasty, patient] = [await connect(), await connect()]
  const closed = once(hasty, "close")
  hasty.write(get.repeat(1000))
  await closed
  expect(requests).toBe(1)
  for (let count = 0; count < 5; count++) {
    patient.write(get)
    expect(String(await once(patient, "data"))).toContain("here")
  }
})

test("bodies of requests without an answer have 32 MiB together, and give their room back", async () => {
  await listen()
  const size = 10 << 20
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`
  let [received, closed] = [0, 0]
  server.on("request", (request) => request.on("data", (part: Buffer) => (received += part.length)))
  const post = async () => {
    const socket = await connect()
    socket.on("close", () => closed++)
    socket.write(head)
    socket.write(Buffer.alloc(size))
    return socket
  }
  const [first] = [await post(), await post(), await post()]
  await Waiting.until(() => received === 3 * size)
  await post()
  await Waiting.until(() => closed === 1)
  first.destroy()
  await Waiting.until(() => closed === 2)
  received = 0
  await post()
  await Waiting.until(() => received === size)
  expect(closed).toBe(2)
})
