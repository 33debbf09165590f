/** `--from`: a mirror as a service. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as MirrorSync from "@transferkit/mirror/MirrorSync"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import * as MirrorData from "../src/MirrorData.ts"

let folder: string
let mirror: string
const capabilities = {
  supported_countries: [],
  supported_currencies: [],
  supported_payment_methods: [],
  transfer_limits: {},
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fake-mirror-"))
  mirror = join(folder, "transfers.db")
  for (const [partner_id, transfers] of [
    ["shop", 23],
    ["wallet", 5],
  ] as const) {
    const service = InMemoryTransferApi.layer({ transfers, partner: partner_id, capabilities })
    await Effect.runPromise(
      MirrorSync.sync({ partner_id }).pipe(
        Effect.provide(TransferPager.layer.pipe(Layer.provideMerge(service))),
        Effect.provide(TransferMirror.layer(mirror)),
      ),
    )
  }
})
afterAll(() => rm(folder, { recursive: true }))

const start = (...args: ReadonlyArray<string>) =>
  spawn(process.execPath, [join(import.meta.dirname, "../src/bin.ts"), "--port", "0", "--json", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  })

test("serves the transfers and the capabilities that a mirror holds of its partner", async () => {
  const child = start("--from", mirror, "--partner", "shop:s")
  const [line] = await once(child.stdout, "data")
  const { url } = JSON.parse(String(line))
  const page = await call(`${url}/v1/transfers/search?limit=20`, { credentials: "shop:s" })
  expect(page.json.results).toHaveLength(20)
  const { end_cursor } = page.json.page_info
  const rest = await call(`${url}/v1/transfers/search?limit=20&after_cursor=${end_cursor}`, { credentials: "shop:s" })
  expect(rest.json.results).toHaveLength(3)
  expect((await call(`${url}/v1/capabilities`, { credentials: "shop:s" })).json).toEqual(capabilities)
  child.kill("SIGTERM")
  await once(child, "close")
})

test("serves the texts of transfers, not how a mirror stores those that UTF-8 cannot encode", async () => {
  const wire = {
    id: "tr_1",
    kind: "cash_in",
    status: "complete",
    created_at: "2024-09-01T00:00:00Z",
    memo: "half \ud800",
  }
  const transfers = [Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))]
  const file = join(folder, "half.db")
  const apply = TransferMirror.use((mirror) =>
    mirror.apply({ partner_id: "half", window: CreatedAt.all, transfers, run_id: 1n, state: { floor: "0" } }),
  )
  await Effect.runPromise(Effect.provide(apply, TransferMirror.layer(file)))
  const { data } = await Effect.runPromise(MirrorData.read(file, "half"))
  expect(data).toEqual([wire])
})

test.each([
  [["--from", "transfers.txt"], "write sqlite:FILE"],
  [["--from", "MIRROR"], "it has the partners shop, wallet, not demo: name one of them first with --partner"],
  [["--from", "MIRROR", "--data", "x.json"], "give it or --data, not both"],
])("rejects %j: %s", async (args, reason) => {
  const child = start(...args.map((arg) => (arg === "MIRROR" ? mirror : arg)))
  let said = ""
  child.stderr.on("data", (text: Buffer) => (said += text.toString()))
  expect(await once(child, "close")).toEqual([2, null])
  expect(said).toContain(reason)
})
