/** The fake over TLS. */
import * as https from "node:https"
import * as net from "node:net"
import * as tls from "node:tls"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Fault } from "@transferkit/fake/Fault"
import { expect, test } from "vitest"
import { raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

const get = (url: string, options: https.RequestOptions) =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const outgoing = https.get(
      `${url}${search}`,
      { auth: "demo:demo-secret", agent: false, ...options },
      (response) => {
        let text = ""
        response.on("data", (chunk: Buffer) => (text += chunk.toString()))
        response.on("error", reject)
        response.on("end", () => resolve({ status: response.statusCode, text }))
      },
    )
    outgoing.on("error", reject)
  })

test("serves clients that trust its authority, under each of its names", async () => {
  await using fake = await startFakeServer({ transfers: 3, tls: true, allowHosts: ["fake.test"] })
  expect(fake.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const { ca } = fake
  for (const servername of ["localhost", "fake.test"]) {
    const { status, text } = await get(fake.url, { ca, servername, headers: { host: servername } })
    expect([status, JSON.parse(text).results.length]).toEqual([200, 3])
  }
  expect((await get(fake.url, { ca })).status).toBe(200)
  await expect(get(fake.url, { ca, servername: "other.test" })).rejects.toMatchObject({
    message: expect.stringContaining("not in the cert's altnames"),
  })
  await expect(get(fake.url, {})).rejects.toMatchObject({ message: expect.stringContaining("self-signed certificate") })
})

test("has another authority at each start, and none without TLS", async () => {
  await using fake = await startFakeServer({ tls: true })
  await using other = await startFakeServer({ tls: true })
  await using plain = await startFakeServer()
  await expect(get(fake.url, { ca: other.ca })).rejects.toMatchObject({
    message: expect.stringMatching(/signature|self-signed|unable/),
  })
  expect(plain.ca).toBe(undefined)
})

test("outlives what is not TLS", async () => {
  await using fake = await startFakeServer({ transfers: 3, tls: true })
  expect((await raw(fake.url, request(search))).text).not.toContain("HTTP/1.1 200")
  const socket = net.connect(Number(new URL(fake.url).port), "127.0.0.1")
  socket.end()
  expect((await get(fake.url, { ca: fake.ca })).status).toBe(200)
})

test("closes while a client is in its handshake", { timeout: 15_000 }, async () => {
  const fake = await startFakeServer({ tls: true })
  const socket = net.connect(Number(new URL(fake.url).port), "127.0.0.1").on("error", () => {})
  socket.write(Buffer.from([22, 3, 1]))
  await get(fake.url, { ca: fake.ca })
  await fake.close()
  socket.destroy()
})

const broken: ReadonlyArray<Fault> = [
  { fault: "reset", at: "before" },
  { fault: "reset", at: "headers" },
  { fault: "reset", at: "body" },
]

test.each(broken)("resets the connection itself: %j", async (fault) => {
  await using fake = await startFakeServer({ transfers: 45, tls: true, faults: [{ faults: [fault] }] })
  await expect(get(fake.url, { ca: fake.ca })).rejects.toMatchObject({ code: "ECONNRESET" })
  const { port } = new URL(fake.url)
  const socket = tls.connect({ port: Number(port), ca: fake.ca ?? "", host: "127.0.0.1" }, () =>
    socket.write(request(search)),
  )
  const error = await new Promise((resolve) => socket.on("error", resolve).resume())
  expect(error).toMatchObject({ code: "ECONNRESET", syscall: "read" })
  expect(fake.requests().flatMap(({ problems = [] }) => problems)).toEqual([])
})
