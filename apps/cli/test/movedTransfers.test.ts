/** A transfer that the service lists at two creation times is never counted twice: the run ends in an error instead. */
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { pageOf } from "./ServicePage.ts"

interface Row {
  readonly id: string
  readonly created_at: string
}

const rows: ReadonlyArray<Row> = Array.from({ length: 1600 }, (_, index) => ({
  id: `m${index}`,
  created_at: new Date(Date.UTC(2024, 0, 1) + index * 21_600_000).toISOString(),
}))
const moved: Row = { id: "m10", created_at: "2024-12-24T12:00:00Z" }
const message = `it sent the transfer "m10" at two creation times, `

const capabilities = {
  supported_countries: [],
  supported_currencies: [],
  supported_payment_methods: [],
  transfer_limits: {},
}

let listed: ReadonlyArray<Row>
/** Requests that are answered before the service rejects all others. */
let most: number

const service = createServer((request, response) => {
  response.setHeader("content-type", "application/json")
  if (most-- <= 0) return response.writeHead(403).end("{}")
  const { pathname, searchParams: params } = new URL(request.url ?? "/", "http://service")
  if (pathname.endsWith("/capabilities")) return response.end(JSON.stringify(capabilities))
  const rows = listed.map((row) => ({ ...row, kind: "cash_in", status: "complete" }))
  return response.end(JSON.stringify(pageOf(params, rows)))
})

let folder: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening")
  env = demo(`http://127.0.0.1:${Object(service.address()).port}`)
  folder = await mkdtemp(join(tmpdir(), "transfers-moved-"))
})
afterAll(async () => {
  service.close().closeAllConnections()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  most = Infinity
})

test.each(["export", "summary", "audit"])("%s ends in exit code 5, which names the transfer", async (command) => {
  listed = [...rows, moved]
  const out = command === "export" ? ["--out", join(folder, "all.ndjson")] : []
  const { code, stdout, stderr } = await run([command, ...out], { env })
  expect({ code, stdout, stderr }).toEqual({ code: 5, stdout: "", stderr: expect.stringContaining(message) })
  expect(await readdir(folder)).toEqual([])
})

test("an export that is resumed knows again what it received before it moved, and can begin again", async () => {
  listed = rows
  const out = join(folder, "resumed.ndjson")
  const command = ["export", "--concurrency", "1", "--out", out]
  most = 76
  const cut = await run(command, { env })
  expect(cut.stderr).toMatch(/: not complete; run the same command with --resume to continue after [\d,]+ transfers\n/)
  const spool = await readFile(`${out}.spool`, "utf8")
  const isReceived = ({ id }: Row): boolean => spool.includes(`"${id}"`)
  const [received, missing] = [rows.find(isReceived), rows.find((row) => !isReceived(row))]
  most = Infinity
  listed = rows.map((row) => (row === received ? { ...row, created_at: `${missing?.created_at}` } : row))
  const resumed = await run([...command, "--resume"], { env })
  expect([resumed.code, resumed.stderr]).toEqual([5, expect.stringContaining(`the transfer "${received?.id}" at two`)])
  expect(resumed.stderr).toContain("resumed.ndjson: not complete; nothing was written\n")
  expect(await readdir(folder)).toEqual([])
  const again = await run(command, { env })
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("1,600 transfers in ")])
})

test("search --all and sync keep one of the two", async () => {
  listed = [...rows, moved]
  const found = await run(["search", "--all", "--output", "ndjson"], { env })
  expect(found.stdout.match(/"id":"m10"/g)).toHaveLength(1)
  const mirror = join(folder, "mirror.db")
  expect((await run(["sync", "--to", mirror], { env })).code).toBe(0)
  const counted = await run(["query", "--from", mirror, "--output", "csv", "select count(*) n from transfers"], {
    env: {},
  })
  expect(counted.stdout).toBe("n\n1600\n")
})
