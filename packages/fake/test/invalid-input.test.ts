/** Nothing is ignored silently: errors are reported at once if possible, else in the journal. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Rule } from "@transferkit/fake/FaultRule"
import { InvalidRule } from "@transferkit/fake/FaultRule"
import * as Duration from "effect/Duration"
import { describe, expect, test } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

const insert = (...transfers: ReadonlyArray<Record<string, string | number | null>>) => ({ fault: "insert", transfers })

describe("a fault rule that cannot work is rejected over HTTP, in a program and at the start", () => {
  test.each<[string, object, RegExp]>([
    ["an id that is taken", { faults: [insert({ id: "here" })] }, /"here" already at \S*\/faults\/0\/transfers\/0\.$/],
    ["one id twice", { faults: [insert({ id: "a" }, { id: "a" })] }, /"a" at \S*\/faults\/0\/transfers\/1\.$/],
    [
      "one id in two faults",
      { faults: [insert({ id: "a" }), insert({ id: "a" })] },
      /"a" at \S*\/faults\/1\/transfers\/0\.$/,
    ],
    ["what is no transfer", { faults: [insert({ kind: 7 })] }, /\/kind/],
    [
      "more insertions than a request may have",
      { faults: [{ fault: "insert", count: 5000 }, insert({ id: "a" }), { fault: "insert", count: 5000 }] },
      /expected at most 10000 transfers that a request inserts, not 10001, at \S*\/faults\.$/,
    ],
    ["no transfers at all", { faults: [{ fault: "insert", transfers: [] }] }, /transfers/],
    ["an impossible change", { faults: [{ fault: "change", fields: { created_at: "now" } }] }, /\/created_at/],
    ["a change of the id", { faults: [{ fault: "change", id: "x", fields: { id: "y" } }] }, /id of a transfer/],
    ["a partner who isn't there", { when: { partner: "demi" }, faults: [{ fault: "bom" }] }, /"demi".*\/when\/partner/],
    ["a path that is none", { when: { path: "v1/capabilities" }, faults: [{ fault: "bom" }] }, /\/when\/path/],
    ["request 0", { when: { request: 0 }, faults: [{ fault: "bom" }] }, /\/when\/request/],
    ["two ways to count", { when: { request: { every: 2, from: 3 } }, faults: [{ fault: "bom" }] }, /unknown key/],
    ["no request at all", { when: { request: [] }, faults: [{ fault: "bom" }] }, /\/when\/request/],
    [
      "a path that is not the service's",
      { when: { path: "/_fake/health" }, faults: [{ fault: "bom" }] },
      /path of the service/,
    ],
    ["no faults", { faults: [] }, /at least one fault at \S*\/faults/],
    ["a body where there is none", { faults: [{ fault: "status", status: 204, body: "x" }] }, /204 .*no body/],
    ["a probability over 1", { when: { probability: 1.1 }, faults: [{ fault: "bom" }] }, /\/when\/probability/],
    ["no times", { times: 0, faults: [{ fault: "bom" }] }, /\/times/],
    ["an unknown fault", { faults: [{ fault: "fire" }] }, /one of status, .*remove at .*\/faults\/0/],
    [
      "an unknown key",
      { faults: [{ fault: "status", stats: 500 }] },
      /unknown key, not one of fault, status, body, headers, at .*\/faults\/0\/stats/,
    ],
    ["an impossible status", { faults: [{ fault: "status", status: 600 }] }, /between 200 and 599, not 600, at/],
    ["a header with a line break", { faults: [{ fault: "redirect", location: "/\r\nx: y" }] }, /location/],
    ["a header of no name", { faults: [{ fault: "status", status: 500, headers: { "a b": "" } }] }, /headers/],
    [
      "a length of its own",
      { faults: [{ fault: "status", status: 500, headers: { "Content-Length": "1" } }] },
      /headers/,
    ],
    ["less than no bytes", { faults: [{ fault: "truncate", bytes: -1 }] }, /\/bytes/],
    ["a clock beyond all dates", { faults: [{ fault: "clock_skew", seconds: 1e15 }] }, /\/seconds/],
    ["a pointer that is none", { faults: [{ fault: "drift", pointer: "/a~2" }] }, /JSON Pointer/],
  ])("%s", async (_, wire, reason) => {
    // As a program without types would give it.
    const rule: Rule = JSON.parse(JSON.stringify(wire))
    const data = [{ id: "here", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }]
    await using fake = await startFakeServer({ data })
    const reply = await call(`${fake.url}/_fake/faults`, { method: "POST", body: rule })
    expect(reply.status).toBe(400)
    expect(reply.json.errors[0].message).toMatch(reason)
    expect(() => fake.addFaults(rule)).toThrow(InvalidRule)
    expect(() => fake.addFaults(rule)).toThrow(reason)
    await expect(startFakeServer({ data, faults: [rule] })).rejects.toThrow(reason)
    expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(200)
  })

  test("names the invalid rule of a list, and the unknown key of a file", async () => {
    await using fake = await startFakeServer()
    const refusal = async (body: unknown) =>
      (await call(`${fake.url}/_fake/faults`, { method: "POST", body })).json.errors[0].message
    const [good, bad] = [{ faults: [{ fault: "bom" }] }, { faults: [{ fault: "bom", loud: true }] }]
    expect(await refusal(bad)).toContain("at /faults/0/loud")
    expect(await refusal({ when: { partner: "demi" }, ...good })).toContain("at /when/partner")
    expect(await refusal([good, { when: { partner: "demi" }, ...good }])).toContain("at /1/when/partner")
    expect(await refusal({ rules: [{ when: { partner: "demi" }, ...good }] })).toContain("at /rules/0/when/partner")
    expect(await refusal([good, bad])).toContain("at /1/faults/0/loud")
    expect(await refusal({ rules: [good, bad] })).toContain("at /rules/1/faults/0/loud")
    expect(await refusal({ rules: [good], rule: bad })).toContain("at /rule")
    expect(await refusal({ rules: good })).toContain("at /rules")
    expect((await call(`${fake.url}/_fake/faults`)).json.rules).toEqual([])
  })
})

test("accepts a rule with an id that another rule may free", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  const [first = ""] = (await pageThrough(fake.url)).ids
  fake.addFaults(
    { when: { request: 1 }, faults: [{ fault: "remove", id: first }] },
    { when: { request: 2 }, faults: [{ fault: "insert", transfers: [{ id: first }] }] },
  )
  await pageThrough(fake.url)
  expect((await pageThrough(fake.url)).ids).not.toContain(first)
  expect((await pageThrough(fake.url)).ids).toContain(first)
  expect(fake.requests().flatMap(({ problems = [] }) => problems)).toEqual([])
})

test("inserts at most 10,000 transfers for a request, whatever rules apply to it", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  fake.addFaults(
    { faults: [{ fault: "insert", count: 9999 }] },
    { faults: [{ fault: "insert", count: 2 }] },
    { faults: [{ fault: "insert" }] },
  )
  await call(`${fake.url}/v1/capabilities`)
  fake.clearFaults()
  expect(fake.requests()[0]?.problems).toEqual([
    "insert: The faults before it have inserted 9999 transfers for this request, which may insert 10000: these 2 are not inserted.",
  ])
  const count = await call(`${fake.url}/_fake/count`)
  expect(count.json).toMatchObject({ count: 10_003 })
})

test("reports a fault that cannot act in the journal and in its events", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  const events = await fetch(`${fake.url}/_fake/events`)
  fake.addFaults(
    { faults: [{ fault: "insert", transfers: [{ id: "again" }] }] },
    { faults: [{ fault: "change", id: "nobody", fields: { status: "odd" } }] },
    { when: { path: "/v1/capabilities" }, faults: [{ fault: "remove" }] },
  )
  await pageThrough(fake.url)
  await call(`${fake.url}/v1/capabilities`)
  const [search, capabilities] = fake.requests()
  expect(search?.problems).toEqual(['change: There is no transfer "nobody".'])
  expect(capabilities?.problems).toEqual([
    'insert: Not a transfer that can be stored: there is one with the id "again".',
    'change: There is no transfer "nobody".',
    "remove: There is no transfer on the page.",
  ])
  const [text] = await Promise.all([events.text(), fake.close()])
  expect(text).toContain('"problems":["change: There is no transfer \\"nobody\\"."]')
})

test.each<[string, string, unknown, number, string]>([
  ["GET", "requests?stauts=200", undefined, 400, '"stauts"'],
  ["GET", "requests?status=ok", undefined, 400, "status"],
  ["GET", "requests?page=-1", undefined, 400, "page"],
  ["GET", "requests?partner=demi", undefined, 404, '"demi"'],
  ["DELETE", "requests?partner=demo&page=2", undefined, 400, '"page"'],
  ["GET", "requests?page=1&page=2", undefined, 400, '"page" is given more than once'],
  ["GET", "transfers?partner=demo&partner=other", undefined, 400, '"partner" is given more than once'],
  ["DELETE", "transfers?id=tr_1", undefined, 400, '"id"'],
  ["GET", "transfers?colour=red", undefined, 400, '"colour"'],
  ["POST", "reset?what=faults", undefined, 400, '"what"'],
  ["POST", "clock/advance", { by: "1s", partner: "demo" }, 400, "nothing else"],
  ["POST", "clock/advance", { by: "-5m" }, 400, '"-5m". Write a number and a unit, such as 20ms, 5s, 10m, 72h or 2d.'],
  ["POST", "clock/advance", { by: 15 }, 400, '"15m"'],
  ["POST", "clock/advance", ["1s"], 400, '"15m"'],
  ["POST", "transfers", "7", 400, "a transfer"],
  ["POST", "transfers", '{"id":"a",}', 400, "The body is not JSON: Expected double-quoted property name"],
  ["POST", "transfers", [{}, 7], 400, "a transfer"],
])("%s /_fake/%s with %j is rejected with %i", async (method, path, body, status, named) => {
  await using fake = await startFakeServer({ transfers: 3 })
  const reply = await call(`${fake.url}/_fake/${path}`, { method, ...(body !== undefined && { body }) })
  expect([reply.status, reply.json.errors[0].message]).toEqual([status, expect.stringContaining(named)])
  expect((await pageThrough(fake.url)).ids).toHaveLength(3)
})

test.each<[object, RegExp]>([
  [{ transfer: 5 }, /no option transfer; .*transfers/],
  [{ seed: 1.5 }, /seed/],
  [{ partners: [] }, /at least one partner/],
  [{ partners: "a:b" }, /partners must be a list\.$/],
  [{ faults: {} }, /faults must be a list/],
  [{ data: {} }, /data must be a list/],
  [{ latency: "20ms" }, /latency must be a range .*, not '20ms'/],
  [{ capabilities: {} }, /capabilities.*\/supported_countries/],
  [{ port: -1 }, /port must be a whole number from 0 to 65535, not -1/],
  [{ adminToken: "" }, /admin token/],
  [{ journalSize: -1 }, /journal/],
  [{ order: "random" }, /newest-first/],
  [{ lteToken: "gte" }, /other than gt, gte and lt/],
  [{ lteToken: "a:b" }, /a:b/],
  [{ latency: { from: Duration.seconds(2), to: Duration.seconds(1) } }, /latency/],
  [{ rateLimit: { requests: 0, perMs: 1000 } }, /rate limit must be .* at least one request/],
  [{ displaced: 0.5 }, /displaced must be a whole number/],
  [{ allowHosts: "fake.test" }, /allow hosts must be a list/],
  [{ adminToken: 7 }, /admin token must be a non-empty text\.$/],
  [{ headTimeLimit: Duration.zero }, /head time limit must be a positive duration/],
  [{ headTimeLimit: Duration.minutes(1) }, /head time limit must not be longer than request time limit/],
])("does not start with %j", async (options, reason) => {
  await expect(startFakeServer(options)).rejects.toThrow(reason)
})
