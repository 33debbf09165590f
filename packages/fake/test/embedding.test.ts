/** Fakes inside other programs: many at once, with Effect and without. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { FakeServer, startFakeServer, UnhandledRequests } from "@transferkit/fake/FakeServer"
import * as RequestFilter from "@transferkit/fake/RequestFilter"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

describe("FakeServer.layer", () => {
  layer(FakeServer.layer({ transfers: 3 }))((it) => {
    it.effect("listens for the tests of a block", () =>
      Effect.gen(function* () {
        const fake = yield* FakeServer
        const { ids } = yield* Effect.promise(() => pageThrough(fake.url))
        assert.lengthOf(ids, 3)
        fake.expectRequests({ path: "/v1/transfers/search" }, 1)
      }),
    )
  })
})

test("isolates twenty parallel fakes in one process", async () => {
  const fakes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => startFakeServer({ seed: n, transfers: 30 + n, partners: [`p${n}:s${n}`] })),
  )
  const found = await Promise.all(fakes.map((fake, n) => pageThrough(fake.url, "limit=7", `p${n}:s${n}`)))
  expect(found.map(({ ids }) => ids.length)).toEqual(fakes.map((_, n) => 30 + n))
  expect(new Set(found.flatMap(({ ids }) => ids)).size).toBe(20 * 30 + 190)
  for (const [n, fake] of fakes.entries()) fake.expectRequests({ partner: `p${n}` }, found[n]?.cursors.length ?? 0)
  const [first, second] = fakes
  expect((await call(`${first?.url}/v1/capabilities`, { credentials: "p1:s1" })).status).toBe(401)
  await first?.close()
  expect((await call(`${second?.url}/v1/capabilities`, { credentials: "p1:s1" })).status).toBe(200)
  await Promise.all(fakes.slice(1).map((fake) => fake.close()))
})

test("fails on close if there were unhandled requests and failOnUnhandled is set", async () => {
  const strict = await startFakeServer({ failOnUnhandled: true })
  await call(`${strict.url}/v1/capabilities`)
  await call(`${strict.url}/v1/transfers/tr_1`)
  await call(`${strict.url}/v1/capabilities`, { method: "POST" })
  const closing = strict.close()
  await expect(closing).rejects.toThrow(UnhandledRequests)
  await expect(closing).rejects.toMatchObject({ message: expect.stringMatching(/GET \/v1\/transfers\/tr_1.*405/s) })
  const calm = await startFakeServer({ failOnUnhandled: true })
  await call(`${calm.url}/v1/capabilities`)
  await calm.close()
})

test("rejects an assertion on an unknown field, which would always hold", async () => {
  await using fake = await startFakeServer()
  await call(`${fake.url}/v1/capabilities`)
  // As a program without types would give it.
  const misspelt: RequestFilter.Filter = JSON.parse('{"pgae":2}')
  expect(() => fake.expectRequests(misspelt, 0)).toThrow(/no "pgae".*method, path, partner, status, page, fault/)
  expect(() => fake.requests(misspelt)).toThrow(RequestFilter.UnknownFilter)
})

test("does not listen after a failed start", async () => {
  const before = await startFakeServer()
  await before.close()
  const port = Number(new URL(before.url).port)
  // As a program without types would give it: node itself takes a number for a host.
  await expect(startFakeServer(JSON.parse(`{"port":${port},"host":1}`))).rejects.toBeInstanceOf(Error)
  await expect(call(`http://127.0.0.1:${port}/v1/capabilities`)).rejects.toBeInstanceOf(Error)
})

test("explains why it cannot start", async () => {
  await using fake = await startFakeServer()
  const port = Number(new URL(fake.url).port)
  await expect(startFakeServer({ port })).rejects.toMatchObject({
    message: expect.stringMatching(/Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE/),
  })
  await expect(startFakeServer({ partners: ["nobody"] })).rejects.toMatchObject({
    message: expect.stringMatching(/<id>:<secret>/),
  })
  await expect(startFakeServer({ partners: ["a:b", "a:c"] })).rejects.toMatchObject({
    message: expect.stringMatching(/two partners/),
  })
  await expect(startFakeServer({ transfers: -1 })).rejects.toMatchObject({
    message: expect.stringMatching(/transfers/),
  })
  await expect(startFakeServer({ defaultLimit: 21 })).rejects.toMatchObject({
    message: expect.stringMatching(/default limit/),
  })
  await expect(startFakeServer({ data: [{ id: "" }] })).rejects.toMatchObject({
    message: expect.stringMatching(/data\[0\]: .*\/id/),
  })
})

describe("data files", () => {
  const write = async (text: string) => {
    const file = path.join(await fs.mkdtemp(path.join(os.tmpdir(), "fake-")), "transfers")
    await fs.writeFile(file, text)
    return file
  }
  const line = (n: number) =>
    `{"id":"tr_${n}", "kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:0${n}Z","x":1.10,"s":"]},\\"[{ü"}`
  const lines = [1, 2, 3].map(line)

  test.each([
    ["a line each", lines.join("\n")],
    ["a line each, with blank ones", `\n${lines.join("\r\n\n")}\n`],
    ["an array", `[${lines.join(",")}]`],
    ["a byte order mark", `\uFEFF${lines.join("\n")}`],
    ["an array over several lines", ` [\n  ${lines.join(" ,\n  ")}\n]\n`],
  ])("load from %s, with every text unchanged", async (_, text) => {
    await using fake = await startFakeServer({ dataFile: await write(text) })
    const reply = await call(`${fake.url}/v1/transfers/search`)
    expect(reply.text).toContain(`"results":[${lines.toReversed().join(",")}]`)
    await call(`${fake.url}/_fake/transfers`, { method: "DELETE" })
    await call(`${fake.url}/_fake/reset`, { method: "POST" })
    expect((await call(`${fake.url}/v1/transfers/search`)).text).toBe(reply.text)
  })

  test("keep the digits of a transfer over several lines", async () => {
    await using fake = await startFakeServer({ dataFile: await write(`[${line(1).replace(',"x"', ',\n"x"')}]`) })
    expect((await call(`${fake.url}/v1/transfers/search`)).text).toContain('"x":1.10')
  })

  test("may be larger than a chunk", async () => {
    const many = Array.from({ length: 9000 }, (_, n) => line(1).replace("tr_1", `tr_${n}_${"x".repeat(n % 300)}`))
    for (const text of [many.join("\n"), `[${many.join(",\n")}]`]) {
      await using fake = await startFakeServer({ dataFile: await write(text) })
      const { json } = await call(`${fake.url}/_fake/health`)
      expect(json.partners[0].transfers).toBe(9000)
      const dataFile = await write(text.replace('"id":"tr_8000_', '"no":"tr_8000_'))
      await expect(startFakeServer({ dataFile })).rejects.toMatchObject({
        message: expect.stringMatching(/line 8001: \S+ .*\/id/),
      })
    }
  })

  test.each([
    ["no file", undefined, /ENOENT.*file'\.$/],
    ["no JSON", "hello", /line 1: .*JSON/],
    ["no transfer", `\n${line(1)}\r\n\n{"id":"x"}\n`, /line 4: .*\/kind/],
    ["one id twice", `${line(1)}\n${line(1)}`, /line 2: .*tr_1/],
    [
      "a name twice",
      `${line(1)}\n${line(2).replace("{", '{"id":"x",')}`,
      /line 2, column \d+: its object has "id" already/,
    ],
    [
      "a name twice within",
      `[${line(1)},\n${line(2).replace("{", '{\n"note":{"a":1,"a":1},')}]`,
      /line 3, column 15: its object has "a" already/,
    ],
    ["an amount that is a number", `${line(1)}\n{"id":"x","source_total":{"amount":1}}`, /line 2: /],
    ["an array that doesn't end", `[\n${line(1)},\n${line(2)}\n`, /line 3: the array is not closed/],
    ["an array that ends within an element", `[\n${line(1)},\n{"id":`, /line 3: the array is not closed/],
    [
      "an array with a broken element",
      `\n[\n${line(1)},\n\n  {\n"id":"x",\n"kind":7},\n${line(2)}]`,
      /line 5: .*\/kind/,
    ],
    ["something behind the array", `[${line(1)}]\n x`, /line 2: /],
    ["nothing between two commas", `[${line(1)},\n,${line(2)}]`, /line 2: /],
    ["a line that never ends", `${line(1)}\n${"x".repeat(18 * 1024 * 1024)}`, /line 2: /],
  ])("with %s are rejected", async (_, text, reason) => {
    const dataFile = text === undefined ? "/nonexistent/file" : await write(text)
    await expect(startFakeServer({ dataFile })).rejects.toThrow(reason)
  })
})
