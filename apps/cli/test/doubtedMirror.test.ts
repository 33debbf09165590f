/** A mirror does not answer for what its service was caught leaving out. */
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as SyncMetrics from "@transferkit/mirror/SyncMetrics"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as MetricsServer from "../src/telemetry/MetricsServer.ts"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { pageOf } from "./ServicePage.ts"

const rows = Array.from({ length: 600 }, (_, index) => ({
  id: `tr_${index}`,
  external_id: `order-${index}`,
  kind: "cash_in",
  status: "complete",
  created_at: new Date(Date.UTC(2024, 8, 1) + index * 60_000).toISOString(),
}))
const odd = "tr_300"
const capabilities = {
  supported_countries: [],
  supported_currencies: [],
  supported_payment_methods: [],
  transfer_limits: {},
}

/** Whether it compares another time of one transfer than it shows, two hours later. */
let isWrong = true

const service = createServer((request, response) => {
  response.setHeader("content-type", "application/json")
  const { pathname, searchParams: params } = new URL(request.url ?? "/", "http://service")
  if (pathname.endsWith("/capabilities")) return response.end(JSON.stringify(capabilities))
  const at = ({ id, created_at }: (typeof rows)[number]) =>
    Date.parse(created_at) + (isWrong && id === odd ? 7_200_000 : 0)
  return response.end(JSON.stringify(pageOf(params, rows, at)))
})

let folder: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening")
  env = demo(`http://127.0.0.1:${Object(service.address()).port}`)
  folder = await mkdtemp(join(tmpdir(), "transfers-doubted-"))
})
afterAll(async () => {
  service.close().closeAllConnections()
  await rm(folder, { recursive: true })
})

/** What the metrics say of a mirror an hour after the second, when a pass has ended. */
const lagOf = async (mirror: string, result: Result.Result<ReadonlyArray<never>, { readonly _tag: string }>) => {
  const at = Timestamp.parseUnsafe("2024-09-01T06:00:00Z")
  const metrics = Effect.andThen(SyncMetrics.record("demo", result, { at, failed: 0 }), MetricsServer.text)
  const text = await Effect.runPromise(Effect.provide(metrics, TransferMirror.layer(mirror)))
  return Number(/^transfers_mirror_watermark_age_seconds\{partner="demo"\} (\S+)$/m.exec(text)?.[1])
}

test("a mirror does not answer for the second that an error named, until a verification", async () => {
  const mirror = join(folder, "m.db")
  const sync = (...args: ReadonlyArray<string>) => run(["sync", "--to", mirror, ...args], { env })
  const search = (...args: ReadonlyArray<string>) => {
    const period = ["--since", "2024-09-01T05:00:00Z", "--until", "2024-09-01T05:00:01Z"]
    return run(["search", "--from", mirror, "order-300", ...period, "-o", "ndjson", ...args], { env })
  }
  isWrong = false
  expect(await sync()).toMatchObject({ code: 0 })
  isWrong = true
  const failed = await sync("--verify")
  expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining("second from 2024-09-01T05:00:00Z")])
  const lacks = {
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /lacks what was created 2024-09-01 05:00:00 UTC to 2024-09-01 05:00:01 UTC: the service sent a transfer of that time, and did not list it when asked for it\. Report it to the service\. Once it is right, run transfers sync --verify, or give --allow-incomplete\./,
    ),
  }
  expect(await search()).toMatchObject(lacks)
  isWrong = false
  expect(await sync()).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/0 vanished, .*, complete up to 2024-09-01 05:00:00/),
  })
  expect((await sync("--status")).stdout).toContain('complete_until": "2024-09-01T05:00:00Z')
  for (const result of [Result.succeed([]), Result.fail({ _tag: "OutsideFilter" })]) {
    expect(await lagOf(mirror, result)).toBe(3600)
  }
  expect(await search()).toMatchObject(lacks)
  // Another may have this key; none has this id.
  const show = (key: string) => run(["show", key, "--from", mirror, "--columns", "id", "-o", "csv"], { env })
  const warning = { code: 0, stderr: expect.stringContaining("lacks what was created 2024-09-01 05:00:00 UTC") }
  expect(await show("order-7")).toMatchObject({ ...warning, stdout: "id\ntr_7\n" })
  expect(await show("tr_7")).toMatchObject({ code: 0, stderr: "" })
  expect(await search("--allow-incomplete")).toMatchObject({ code: 0, stderr: expect.stringContaining("NotCovered") })
  const before = await run(["summary", "--from", mirror, "--until", "2024-09-01T05:00:00Z"], { env })
  expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining("300") })
  expect(await sync("--verify")).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing missed") })
  expect(await search()).toMatchObject({ code: 0, stdout: expect.stringContaining(odd) })
  expect(await show("order-7")).toMatchObject({ code: 0, stderr: "" })
})

test("an export that the service left a transfer out of has nothing to resume, and begins anew", async () => {
  const out = join(folder, "all.ndjson")
  isWrong = true
  const failed = await run(["export", "--out", out], { env })
  expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining("second from 2024-09-01T05:00:00Z")])
  expect((await readdir(folder)).filter((name) => name.includes("all.ndjson"))).toEqual([])
  isWrong = false
  expect(await run(["export", "--out", out], { env })).toMatchObject({ code: 0 })
  expect((await readFile(out, "utf8")).split("\n")).toHaveLength(rows.length + 1)
})
