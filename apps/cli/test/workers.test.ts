import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import { demo, run } from "./Cli.ts"

let fake: RunningFakeServer
let folder: string
let mirror: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 1500, partners: ["demo:demo-secret"] })
  folder = await mkdtemp(join(tmpdir(), "transfers-workers-"))
  mirror = join(folder, "transfers.db")
})

afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

test("--workers loads what one process exports, byte for byte, and --status tells who did", async () => {
  const env = demo(fake.url)
  const synced = await run(["sync", "--to", mirror, "--workers", "2"], { env })
  expect(synced).toMatchObject({ code: 0, stderr: expect.stringContaining("demo: loaded 1,500 transfers") })
  const [ofMirror, ofService] = [join(folder, "mirror.ndjson"), join(folder, "service.ndjson")]
  expect(await run(["export", "--from", mirror, "--out", ofMirror])).toMatchObject({ code: 0 })
  expect(await run(["export", "--out", ofService], { env })).toMatchObject({ code: 0 })
  expect(await readFile(ofMirror, "utf8")).toBe(await readFile(ofService, "utf8"))
  const { workers } = JSON.parse((await run(["sync", "--to", mirror, "--status"])).stdout)
  expect(workers).not.toEqual([])
  const sum = (name: string) =>
    workers.reduce((total: number, one: Record<string, number>) => total + (one[name] ?? 0), 0)
  expect([sum("transfers"), sum("waiting"), sum("running"), sum("failed")]).toEqual([1500, 0, 0, 0])
}, 90_000)

test("--workers ends with the exit code of a key that the service rejects", async () => {
  const env = { ...demo(fake.url), TRANSFERS_SECRET_KEY: "wrong" }
  expect(await run(["sync", "--to", mirror, "--workers", "2"], { env })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("The service rejected the credentials"),
  })
})

test("worker says what it needs, and with --once ends if there is nothing to do", async () => {
  const env = demo(fake.url)
  expect(await run(["worker"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Name the mirror with --to or TRANSFERS_MIRROR."),
  })
  expect(await run(["worker", "--once"], { env: { ...env, TRANSFERS_MIRROR: mirror } })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  })
  expect(await run(["sync", "--to", mirror, "--workers", "2", "--secret-key-stdin"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("give --secret-key-file instead"),
  })
  expect(await run(["sync", "--to", join(folder, "none.db"), "--status"])).toMatchObject({ code: 2 })
})
