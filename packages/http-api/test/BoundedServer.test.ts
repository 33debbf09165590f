/** Clients of HTTP that read nothing, are too many, send each byte alone, or do not wait for answers. */
import { once } from "node:events"
import type { Server } from "node:http"
import * as Net from "node:net"
import { afterEach, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import * as BoundedServer from "../src/BoundedServer.ts"

let server: Server
let over = new AbortController()
const sockets: Array<Net.Socket> = []

afterEach(async () => {
  over.abort()
  over = new AbortController()
  const closed = new Promise((resolve) => void server.close(resolve))
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  await closed
})

const listen = async (limits?: { readonly most: number; readonly patience: number }) => {
  server = BoundedServer.make({ ...limits, isAdmitted: ({ authorization }) => authorization === "ours" })
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

const getOurs = get.replace("host: x", "host: x\r\nauthorization: ours")

/** Answers a request when it is called. */
const answerLate = () => {
  const ends: Array<() => void> = []
  server.on("request", (_, response) => ends.push(() => void response.end("here")))
  return () => ends.splice(0).forEach((end) => end())
}

test("one connection too many takes the place of the oldest without a request, not of one that waits", async () => {
  await listen({ most: 3, patience: 10_000 })
  const answer = answerLate()
  const [waiting, silent, later] = [await connect(), await connect(), await connect()]
  waiting.write(getOurs)
  await once(server, "request")
  await Promise.all([once(silent, "close"), connect()])
  await Promise.all([once(later, "close"), connect()])
  const answered = once(waiting, "data")
  answer()
  expect(String(await answered)).toContain("here")
})

test.each([
  ["of a stranger", get],
  ["whose head never ends", "GET / HTTP/1.1\r\nauthorization: ours\r\n"],
  ["whose body never ends", "POST / HTTP/1.1\r\nhost: x\r\nauthorization: ours\r\ncontent-length: 9\r\n\r\n1"],
])("a request %s holds no place", async (_, text) => {
  await listen({ most: 1, patience: 10_000 })
  const answer = answerLate()
  const bad = await connect()
  bad.write(text)
  if (!text.includes("GET / HTTP/1.1\r\nauthorization")) await once(server, "request")
  const closed = new Promise((resolve) => void bad.on("close", resolve))
  const client = await connect()
  client.write(getOurs)
  await Promise.all([closed, once(server, "request")])
  const answered = once(client, "data")
  answer()
  expect(String(await answered)).toContain("here")
})

test("a client between two requests stays as long as there is a stranger to close", async () => {
  await listen({ most: 2, patience: 10_000 })
  server.on("request", (_, response) => response.end("here"))
  const client = await connect()
  client.write(getOurs)
  await once(client, "data")
  const stranger = await connect()
  await Promise.all([once(stranger, "close"), connect()])
  client.write(getOurs)
  expect(String(await once(client, "data"))).toContain("here")
})

test("one connection too many has its turn when one of the others has its answer, and a second one is closed", async () => {
  await listen({ most: 1, patience: 10_000 })
  const answer = answerLate()
  const working = await connect()
  working.write(getOurs)
  await once(server, "request")
  const newcomer = await connect()
  newcomer.write(getOurs)
  await once(await connect(), "close")
  const [answered, begun] = [once(working, "data"), once(server, "request")]
  answer()
  expect(String(await answered)).toContain("here")
  const reply = once(newcomer, "data")
  await begun
  answer()
  expect(String(await reply)).toContain("here")
})

test("a connection that waits for its turn is closed when its patience ends, and with the server", async () => {
  await listen({ most: 1, patience: 200 })
  answerLate()
  const working = await connect()
  working.write(getOurs)
  await once(server, "request")
  await once(await connect(), "close")
  const waiting = await connect()
  const ended = once(waiting, "close")
  server.close()
  await ended
  expect(working.destroyed).toBe(false)
})

test("a client that keeps all connections between two requests keeps none out that has not sent its first", async () => {
  await listen({ most: 8, patience: 10_000 })
  server.on("request", (_, response) => response.end("here"))
  for (let count = 0; count < 8; count++) {
    const kept = await connect()
    kept.write(getOurs)
    await once(kept, "data")
  }
  const client = await connect()
  for (let count = 0; count < 3; count++) await connect()
  client.write(getOurs)
  expect(String(await Promise.race([once(client, "data"), once(client, "close")]))).toContain("here")
})

test.each(["", "POST / HTTP/1.1\r\nhost: x\r\n"])(
  "a client is answered beside 260 connections that send %j and come back when they are closed",
  async (text) => {
    await listen()
    const { signal } = over
    server.on("request", (_, response) => response.end("here"))
    const returns = async () => {
      const socket = await connect()
      socket.on("close", () => signal.aborted || void returns()).write(text)
    }
    for (let count = 0; count < 260; count++) await returns()
    for (let count = 0; count < 30; count++) {
      const client = await connect()
      client.write(getOurs)
      expect(String(await once(client, "data"))).toContain("here")
    }
    expect(await new Promise((resolve) => void server.getConnections((_, open) => resolve(open)))).toBeLessThan(210)
  },
)

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

test("what comes behind a request without an answer takes no room from others", async () => {
  await listen()
  let requests = 0
  server.on("request", (request, response) => {
    requests++
    request.resume().on("end", () => setTimeout(() => response.end("here"), 5))
  })
  const body = "x".repeat(60_000)
  const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const count = 700
  for (let times = 0; times < count; times++) {
    const hasty = await connect()
    hasty.write(get + post)
    await once(hasty, "close")
  }
  expect(requests).toBe(count)
  const client = await connect()
  client.write(post)
  expect(String(await Promise.race([once(client, "data"), once(client, "close")]))).toContain("here")
})

/** The most that a body of MCP has, but for its last byte. */
const almost = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${1 << 20}\r\n\r\n${"x".repeat((1 << 20) - 1)}`

test("a body that is never complete gives way to others, the oldest first", async () => {
  await listen()
  let received = 0
  server.on("request", (request, response) => {
    request.on("data", (part: Buffer) => (received += part.length))
    request.on("error", () => {}).on("end", () => response.end("here"))
  })
  const holders: Array<Net.Socket> = []
  for (let count = 1; count <= 32; count++) {
    const holder = await connect()
    holder.write(almost)
    holders.push(holder)
    await Waiting.until(() => received === count * ((1 << 20) - 1))
  }
  for (let count = 0; count < 3; count++) {
    const client = await connect()
    client.write(`${almost}x`)
    expect(String(await Promise.race([once(client, "data"), once(client, "close")]))).toContain("here")
  }
  await Waiting.until(() => holders[0]?.destroyed === true)
  expect(holders.filter(({ destroyed }) => destroyed)).toEqual([holders[0]])
})

test("a connection that sends nothing more of its request is closed", async () => {
  await listen({ most: 10, patience: 200 })
  server.on("request", (request) => request.resume().on("error", () => {}))
  const silent = await connect()
  silent.write(almost)
  await once(silent.resume(), "close")
  expect(silent.destroyed).toBe(true)
})
