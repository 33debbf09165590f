import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Collector from "../../../scripts/test/Collector.ts"
import { raw } from "../../../scripts/test/partner.ts"
import * as SilentNames from "../../../scripts/test/SilentNames.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { measured } from "./Measured.ts"

let fake: RunningFakeServer
let collector: Collector.Collector
let folder: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 100 })
  collector = await Collector.start()
  folder = await mkdtemp(join(tmpdir(), "transfers-telemetry-"))
})

afterEach(async () => {
  await Promise.all([fake.close(), collector.close()])
  await rm(folder, { recursive: true })
})

const telling = (more: Readonly<Record<string, string>> = {}) => ({
  env: { ...demo(fake.url), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more },
})

test("sends spans, metrics and logs of a run to the collector that the environment names, and no secret", async () => {
  await Fake.addRule(fake.url, { times: 1, faults: [{ fault: "status", status: 503 }] })
  const outcome = await run(
    ["summary", "--log-level", "info"],
    telling({ OTEL_EXPORTER_OTLP_HEADERS: "x-team=finance", OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test" }),
  )
  expect(outcome.code).toBe(0)
  const { traces, metrics, logs } = collector.bodies
  const all = [...traces, ...metrics, ...logs].join("\n")
  for (const text of ["transfers summary", "TransferApi.search", "ServiceUnavailable", "server.address"]) {
    expect(traces.join("\n")).toContain(text)
  }
  for (const text of ["transfers_attempts", "http.client.request.duration", "transfers_rows"]) {
    expect(metrics.join("\n")).toContain(text)
  }
  expect(logs.length).toBeGreaterThan(0)
  for (const text of ['"service.name"', '"transfers"', "deployment.environment"]) expect(traces[0]).toContain(text)
  expect(collector.headers.every((headers) => headers["x-team"] === "finance")).toBe(true)
  for (const secret of ["demo-secret", Buffer.from("demo:demo-secret").toString("base64")]) {
    expect(all).not.toContain(secret)
  }
})

test("prints the same with and without a collector, and sends nothing without one", async () => {
  const [quiet, told] = [await run(["summary"], { env: demo(fake.url) }), await run(["summary"], telling())]
  // Two readings of a service hold until two instants.
  const timeless = ({ stdout, ...rest }: typeof quiet) => ({
    ...rest,
    stdout: stdout.replace(/"as_of": "[^"]+"|"lte:[^"]+"/g, ""),
  })
  expect(timeless(told)).toEqual(timeless(quiet))
  const before = collector.bodies.traces.length
  await run(["summary"], telling({ OTEL_SDK_DISABLED: "true" }))
  await run(["summary"], telling({ OTEL_EXPORTER_OTLP_ENDPOINT: "" }))
  expect(collector.bodies.traces.length).toBe(before)
})

test("a failure is a failed span, and its exit code stays", async () => {
  await Fake.addFaults(fake.url, { fault: "status", status: 400, body: "{}" })
  expect((await run(["search"], telling())).code).toBe(4)
  expect(collector.bodies.traces.join("\n")).toMatch(/"name":"transfers search".*?"status":\{"code":2/)
})

test.each([
  ["no collector listens", async () => "http://127.0.0.1:9"],
  ["it never answers", async () => replaced({ isSilent: true }).then(() => collector.url)],
])("a collector that is dead because %s costs at most half a second, and nothing else", async (_, urlOf) => {
  const url = await urlOf()
  const alive = await Collector.start()
  const timed = async (env: Readonly<Record<string, string>>) => {
    const started = performance.now()
    const outcome = await run(["capabilities"], { env: { ...demo(fake.url), ...env } })
    return { ...outcome, ms: performance.now() - started }
  }
  // The best of some, because other processes use the machine, too. Both load what sends, which takes its time as well.
  let [least, most] = [Infinity, Infinity]
  for (let round = 0; round < 10 && !(most - least < 800); round++) {
    const [told, dead] = [
      await timed({ OTEL_EXPORTER_OTLP_ENDPOINT: alive.url }),
      await timed({ OTEL_EXPORTER_OTLP_ENDPOINT: url }),
    ]
    expect({ ...dead, ms: 0 }).toEqual({ ...told, ms: 0 })
    least = Math.min(least, told.ms)
    most = Math.min(most, dead.ms)
  }
  await alive.close()
  expect(most - least).toBeLessThan(800)
})

const silentNames = SilentNames.compile()

test.runIf(SilentNames.isPossible).each([
  [["capabilities", "--sandbox"], 0],
  [["show", "tr_none", "--sandbox"], 1],
] as const)("a collector whose name no server answers does not hold up %j", async (args, code) => {
  const names = silentNames()
  const began = performance.now()
  const { stdout, ...rest } = await run(args, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318", ...names.env },
  })
  expect(names.areAsked()).toBe(true)
  expect({ ...rest, stdout }).toEqual(await run(args))
  expect(rest.code).toBe(code)
  expect(performance.now() - began).toBeLessThan(15_000)
})

test("a collector that answers without end costs no memory", async () => {
  await replaced({ isEndless: true })
  const { code, memory } = await measured(["summary"], telling())
  expect(code).toBe(0)
  expect(memory).toBeLessThan(250)
})

test("a redirect of the collector leads to no other host", async () => {
  const other = await Collector.start()
  await replaced({ redirectTo: other.url })
  expect(await run(["capabilities"], telling({ OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=secret" }))).toMatchObject({
    code: 0,
  })
  expect(collector.bodies.traces.length).toBeGreaterThan(0)
  expect(other.headers).toEqual([])
  await other.close()
})

test("a signal ends the wait for a collector", async () => {
  await replaced({ isSilent: true })
  const child = start(["capabilities"], telling({ OTEL_EXPORTER_OTLP_TIMEOUT: "600000" }))
  const closed = new Promise((resolve) => child.on("close", resolve))
  await new Promise((resolve) => child.stdout.once("data", resolve))
  // It has printed everything, and waits for the collector.
  setTimeout(() => child.kill("SIGTERM"), 1000)
  expect(await closed).toBe(143)
})

const replaced = async (options: Parameters<typeof Collector.start>[0]) => {
  await collector.close()
  collector = await Collector.start(options)
}

test.each([
  ["what is no URL", { OTEL_EXPORTER_OTLP_ENDPOINT: "nonsense" }, "Expected a valid URL"],
  ["a login", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://some:l0gin@127.0.0.1:9" }, "it holds credentials"],
  ["a login of a signal", { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://l0gin@127.0.0.1:9" }, "LOGS_ENDPOINT: it holds"],
  ["a login without a scheme", { OTEL_EXPORTER_OTLP_ENDPOINT: "some:l0gin@127.0.0.1:9" }, "neither http:// nor"],
])("%s in a variable turns telemetry off, says so, and changes nothing else", async (_, env, reason) => {
  const outcome = await run(["search", "--limit", "1"], telling(env))
  expect(outcome).toMatchObject({ code: 0, stderr: expect.stringMatching(/^No telemetry is sent: /) })
  expect(outcome.stderr).toContain(reason)
  expect(outcome.stderr).not.toContain("l0gin")
})

/** The samples of a page of metrics, by name and labels. */
const samplesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  )

test("sync --follow --metrics serves what to alert on", async () => {
  await Fake.insert(fake.url, {
    id: "tr_open",
    status: "executing",
    created_at: new Date(Date.now() - 3_600_000).toISOString(),
  })
  const args = ["sync", "--to", join(folder, "transfers.db"), "--follow", "--interval", "1", "--metrics", "0"]
  const child = start(args, telling())
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  const url = await Waiting.until(() => /Metrics on (\S+)/.exec(stderr)?.[1])
  const scrape = async () => samplesOf(await (await fetch(url)).text())
  const complete = 'transfers_sync_passes_total{partner="demo",outcome="complete"}'
  await Waiting.until(async () => (await scrape()).has(complete))
  // A page whose name was rebound to this machine reads nothing.
  expect(await raw(url, "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).toMatchObject({
    text: expect.stringMatching(/^HTTP\/1.1 421 /),
  })
  const samples = await scrape()
  expect(samples.get('transfers_mirror_open{partner="demo"}')).toBeGreaterThan(0)
  expect(samples.get('transfers_mirror_watermark_age_seconds{partner="demo"}')).toBeGreaterThan(3500)
  expect(samples.get('transfers_mirror_oldest_open_age_seconds{partner="demo"}')).toBeGreaterThan(3500)
  expect(
    Date.now() / 1000 - (samples.get('transfers_mirror_synced_timestamp_seconds{partner="demo"}') ?? 0),
  ).toBeLessThan(20)
  expect(samples.get('transfers_attempts_total{outcome="success"}')).toBeGreaterThan(3)
  await Fake.addFaults(fake.url, { fault: "rate_limited", retry_after: "0" })
  await Waiting.until(async () =>
    (await scrape()).has('transfers_sync_passes_total{partner="demo",outcome="RateLimited"}'),
  )
  expect((await scrape()).get('transfers_attempts_total{outcome="RateLimited"}')).toBeGreaterThan(0)
  expect((await fetch(new URL("/", url))).status).toBe(404)
  expect((await fetch(url, { method: "POST" })).status).toBe(405)
  child.kill("SIGINT")
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130)
  expect(collector.bodies.metrics.join("\n")).toContain("transfers_mirror_open")
})

test.each([
  [["--metrics", "9464"], "--metrics lasts as long as the sync: give --follow, too"],
  [["--follow", "--metrics", "here"], "--metrics: expected PORT or HOST:PORT"],
  [["--follow", "--metrics", "70000"], "--metrics: expected PORT or HOST:PORT"],
])("sync %j is rejected", async (args, message) => {
  expect(await run(["sync", "--to", join(folder, "t.db"), ...args], { env: demo(fake.url) })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  })
})
