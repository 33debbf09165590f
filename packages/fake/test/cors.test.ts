/** Web pages that may read the service. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"
const page = "http://localhost:5173"

const headersOf = async (
  url: string,
  origin: string | undefined,
  target = search,
  more: ReadonlyArray<string> = [],
) => {
  const method = more.length > 0 ? "OPTIONS" : "GET"
  const headers = [...(origin === undefined ? [] : [`origin: ${origin}`]), ...more]
  const [head = ""] = (await raw(url, request(target, headers, method))).text.split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  return { status: Number(first.split(" ")[1]), ...Object.fromEntries(lines.map((line) => line.split(/: (.*)/))) }
}

const asks = ["access-control-request-method: GET", "access-control-request-headers: authorization"]

test("none may unless an option allows it", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  fake.addFaults({ times: 1, faults: [{ fault: "status", status: 503 }] })
  const reply = await headersOf(fake.url, page)
  expect(Object.keys(reply).filter((name) => name.startsWith("access-control") || name === "vary")).toEqual([])
  expect(reply.status).toBe(403)
  expect((await headersOf(fake.url, page, search, asks)).status).toBe(403)
  expect((await headersOf(fake.url, undefined, search, ["sec-fetch-site: cross-site"])).status).toBe(403)
  expect(fake.requests()).toEqual([])
  expect((await headersOf(fake.url, undefined)).status).toBe(503)
})

test("one of an allowed origin may, also if there is an error or a fault", async () => {
  await using fake = await startFakeServer({ transfers: 3, corsOrigins: [page, "https://app.test"] })
  const shares = {
    "access-control-allow-origin": page,
    "access-control-expose-headers": expect.stringContaining("retry-after"),
  }
  expect(await headersOf(fake.url, page)).toMatchObject({ status: 200, vary: "origin", ...shares })
  expect(await headersOf(fake.url, page, `${search}?limit=0`)).toMatchObject({ status: 400, ...shares })
  expect(await headersOf(fake.url, page, "/openapi.json")).toMatchObject({ status: 200, ...shares })
  fake.addFaults({ faults: [{ fault: "status", status: 503 }] })
  expect(await headersOf(fake.url, page)).toMatchObject({ status: 503, ...shares })
  for (const origin of ["http://localhost:5174", "null", undefined]) {
    const reply = await headersOf(fake.url, origin)
    expect(reply).not.toHaveProperty("access-control-allow-origin")
    expect(reply).toHaveProperty("vary", "origin")
  }
})

test("its browser learns beforehand what it may send, without a trace in the journal", async () => {
  await using fake = await startFakeServer({ corsOrigins: [page], faults: [{ faults: [{ fault: "bom" }] }] })
  const network = "access-control-request-private-network: true"
  expect(await headersOf(fake.url, page, search, [...asks, network])).toMatchObject({
    status: 204,
    "access-control-allow-origin": page,
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "authorization",
    "access-control-allow-private-network": "true",
  })
  expect(await headersOf(fake.url, "http://evil.example", search, asks)).not.toHaveProperty(
    "access-control-allow-origin",
  )
  expect(fake.requests()).toEqual([])
})

test("any may with *, but none gets at the operations of the fake", async () => {
  await using fake = await startFakeServer({ corsOrigins: ["*"] })
  expect(await headersOf(fake.url, page)).toHaveProperty("access-control-allow-origin", page)
  for (const more of [[], asks]) {
    const reply = await headersOf(fake.url, page, "/_fake/requests", more)
    expect(reply.status).toBe(403)
    expect(reply).not.toHaveProperty("access-control-allow-origin")
  }
})

test.each([["http://localhost:5173/"], ["localhost"], [""]])("%j is no origin", async (origin) => {
  await expect(startFakeServer({ corsOrigins: [origin] })).rejects.toMatchObject({
    message: expect.stringContaining("cors origins must be a list of origins"),
  })
})
