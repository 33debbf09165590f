/** The password of a mirror in PostgreSQL is in nothing that a command writes or prints. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as BundleFiles from "./BundleFiles.ts"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as PageText from "./PageText.ts"

let folder: string
let server: Postgres.Server
let fake: RunningFakeServer
let address: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-passwords-"))
  await writeFile(join(folder, "bank.csv"), "external_id,amount,currency\na,1,EUR\n")
  server = await Postgres.start()
  address = await server.createDatabase()
  const one = { id: "a", external_id: "a", kind: "cash_in", status: "complete", created_at: "2024-09-01T10:00:00Z" }
  fake = await startFakeServer({ data: [{ ...one, source_total: { amount: "1", currency_code: "fiat/EUR" } }] })
  expect(await run(["sync", "--to", address], { env: demo(fake.url) })).toMatchObject({ code: 0 })
}, 60_000)
afterAll(async () => {
  await fake.close()
  await server.stop()
  await rm(folder, { recursive: true })
})

/** The server of the test trusts everybody, so any password opens the mirror. */
const withPassword = {
  "with a colon": () => address.replace(/@/, ":S3cret:PW@"),
  "with an at sign": () => address.replace(/@/, ":S3cret@PW@"),
  "as a parameter": () => `${address}?password=S3cret:PW`,
}

test.each(Object.entries(withPassword))("a password %s is in no bundle, page or error", async (_, of) => {
  const from = of()
  const [bundle, page] = [join(folder, "close.zip"), join(folder, "page.html")]
  const month = ["--month", "2024-09", "--from", from]
  const close = await run(["close", ...month, "--ledger", join(folder, "bank.csv"), "--out", bundle, "--force"])
  expect(JSON.parse(close.stdout).close).toMatchObject({ month: "2024-09" })
  const report = await run(["report", ...month, "--html", page])
  const search = await run(["search", "--from", `${from}${from.includes("?") ? "&" : "?"}foo=1`])
  const files = await BundleFiles.read(bundle)
  const { command } = JSON.parse(files["close.json"] ?? "")
  expect(command[command.indexOf("--from") + 1]).toBe(address)
  const html = await readFile(page, "utf8")
  expect(PageText.command(html)).toContain(`--from ${address}`)
  expect(search.stderr).toContain(address)
  const printed = [close, report, search].flatMap(({ stdout, stderr }) => [stdout, stderr])
  for (const text of [html, ...Object.values(files), ...printed]) expect(text).not.toMatch(/S3cret|PW/)
})
