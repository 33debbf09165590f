/** Thousands of admin bodies and rules, from the rule schema and beyond it: the fake survives them, in bounded memory. */
import * as http from "node:http"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { Fault } from "@transferkit/fake/Fault"
import { Rule } from "@transferkit/fake/FaultRule"
import * as Draw from "@transferkit/in-memory/Draw"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { expect, test, vi } from "vitest"
import { basic, call } from "../../../scripts/test/partner.ts"
import * as Seeds from "../../../scripts/test/Seeds.ts"

const cases = Number(process.env["LAW_CASES"] ?? 8000)

const drawer = (n: number) => {
  const key = Draw.keyOf(Draw.hashText(Seeds.all[n % 2] ?? Seeds.fixed), n)
  let draws = 0
  const below = (size: number): number => Draw.below(key, draws++, size)
  const pick = <A>(...choices: readonly [A, ...ReadonlyArray<A>]): A => choices[below(choices.length)] ?? choices[0]
  return { below, pick }
}

type Drawer = ReturnType<typeof drawer>

const odd = ({ below, pick }: Drawer): unknown =>
  pick<() => unknown>(
    () => null,
    () => 2 ** below(64),
    () => -below(9),
    () => 0.1,
    () => "x".repeat(below(5000)),
    () => "__proto__",
    () => ({ ["__proto__"]: { delivery: 1 } }),
    () => [],
    () => "@deep",
    () => "2024-01-01T00:00:00Z",
  )()

const pointers = ["/results/0/status", "/results/*/*", "/results/length", "/__proto__/x", "/", "/*", "/results/99999"]

const distributions = ["0ms..2ms", "lognormal(1ms, 0.5)", "1ms", "2ms..1ms", "lognormal(1ms, 9)", ""] as const

const isLatency = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "fault" in value && value.fault === "latency"

/** A rule of the schema, some of its values replaced by odd ones. */
const mutated = (drawer: Drawer, rule: unknown): unknown =>
  JSON.parse(JSON.stringify(rule), (key, value: unknown) => {
    if (key === "pointer" && drawer.below(2) === 0) return drawer.pick("", ...pointers)
    // Large values only make it slow here; they have tests of their own.
    if (["ms", "every_ms"].includes(key)) return drawer.below(3)
    if (isLatency(value) && drawer.below(2) === 0)
      return { fault: "latency", distribution: drawer.pick(...distributions) }
    if (["bytes", "count"].includes(key)) return 1 + drawer.below(key === "count" ? 20 : 2000)
    return drawer.below(12) === 0 ? odd(drawer) : value
  })

const deep = `${"[".repeat(9000)}${"]".repeat(9000)}`

const textOf = (value: unknown): string => (JSON.stringify(value) ?? "").replaceAll('"@deep"', deep)

const operations = [
  ["POST", "faults"],
  ["POST", "faults"],
  ["POST", "faults"],
  ["POST", "transfers"],
  ["PATCH", "transfers/own"],
  ["POST", "clock/advance"],
  ["PUT", "capabilities"],
  ["POST", "reset"],
] as const

/** The status, or 0 if the connection ended. */
const send = (url: string, agent: http.Agent, method: string, path: string, body?: string, timeout = 10_000) =>
  new Promise<number>((resolve) => {
    const { hostname, port } = new URL(url)
    const headers = { "content-type": "application/json", authorization: basic("demo:demo-secret") }
    const outgoing = http.request({ hostname, port, agent, method, path, headers, timeout }, (response) => {
      response.on("error", () => {})
      response.resume()
      response.on("close", () => resolve(response.statusCode ?? 0))
    })
    outgoing.on("timeout", () => outgoing.destroy())
    outgoing.on("error", () => resolve(0))
    outgoing.end(body)
  })

test(`survives ${cases} bodies and rules, LAW_SEED=${Seeds.drawn}`, { timeout: 300_000 + 15 * cases }, async () => {
  const rules = await Effect.runPromise(
    Arbitrary.sampleEffect(Arbitrary.schema(Rule), { count: 500, seed: Seeds.drawn }),
  )
  const faults = await Effect.runPromise(
    Arbitrary.sampleEffect(Arbitrary.schema(Fault), { count: 500, seed: Seeds.drawn }),
  )
  const data = [{ id: "own", kind: "cash_in", status: "new", created_at: "2024-06-01T00:00:00Z" }]
  await using fake = await startFakeServer({ transfers: 50, data })
  // Each exception is a line there. The journal would lose them at a reset.
  const exceptions: Array<string> = []
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((line) => exceptions.push(String(line)) > 0)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
  // Faults break connections.
  const breaking = new http.Agent({ keepAlive: false })
  const statuses = new Map<number, number>()
  const asked = new Map<number, number>()
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < cases; n = next++) {
      const drawn = drawer(n)
      const [method, path] = operations[n % operations.length] ?? operations[0]
      const rule: unknown = drawn.pick<unknown>(rules[n % rules.length], {
        faults: [faults[n % faults.length], faults[(n * 7) % faults.length]],
      })
      const value =
        path === "faults" ? mutated(drawn, rule) : { [drawn.pick("by", "id", "x", "created_at")]: odd(drawn) }
      const status = await send(fake.url, agent, method, `/_fake/${path}`, path === "reset" ? undefined : textOf(value))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (n % 20 === 0) {
        const answered = await send(fake.url, breaking, "GET", "/v1/transfers/search?limit=5", undefined, 100)
        asked.set(answered, (asked.get(answered) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  agent.destroy()
  expect([...statuses.keys()].filter((status) => status >= 500 || status === 0)).toEqual([])
  for (const status of [201, 204, 400]) expect(statuses.get(status), String(status)).toBeGreaterThan(cases / 100)
  expect(asked.get(200)).toBeGreaterThan(cases / 100)
  fake.clearFaults()
  stderr.mockRestore()
  expect(exceptions, "any status from 500 on is one that a rule asked for").toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
  expect((await call(`${fake.url}/v1/transfers/search`)).status).toBe(200)
  expect(process.memoryUsage().rss).toBeLessThan(2 * 1024 ** 3)
})
