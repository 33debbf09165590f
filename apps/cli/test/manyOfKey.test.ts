/** More transfers may have an external_id than any command expects: all of them count, or it says so. */
import { writeFile } from "node:fs/promises"
import * as LookUps from "@transferkit/books/LookUps"
import * as Transfer from "@transferkit/domain/Transfer"
import { memory, TransferSource } from "@transferkit/domain/TransferSource"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const count = 1100
const data = Array.from({ length: count }, (_, index) => ({
  id: `tr_${index}`,
  external_id: "same",
  kind: "cash_in",
  status: "complete",
  created_at: new Date(Date.UTC(2024, 7, 1, 0, index)).toISOString(),
  source_total: { amount: `${index + 1}`, currency_code: "fiat/EUR" },
}))

let fake: RunningFakeServer
beforeAll(async () => {
  fake = await startFakeServer({ data })
})
afterAll(() => fake[Symbol.asyncDispose]())

test("show prints every transfer that has the external_id", async () => {
  const { code, stdout } = await run(["show", "same", "--jq", ".id"], { env: demo(fake.url) })
  expect(code).toBe(0)
  expect(new Set(stdout.trim().split("\n")).size).toBe(count)
})

test("a look-up at the service counts every transfer of a key", async () => {
  await writeFile("ledger.csv", `external_id,amount,currency,day\nsame,${count},EUR,2024-09-02\n`)
  const period = ["--since", "2024-09", "--until", "2024-09", "--map", "date=day"]
  const { code, stdout } = await run(["reconcile", "ledger.csv", ...period, "-o", "json"], { env: demo(fake.url) })
  expect(code).toBe(1)
  expect(JSON.parse(stdout).totals.Ambiguous).toMatchObject({ entries: 1, transfers: count })
})

test("look-ups that find more transfers than can be held are an error that names the key", async () => {
  const transfer = Result.getOrThrow(Transfer.fromJson(JSON.stringify(data[0])))
  const transfers: ReadonlyArray<Transfer.Transfer> = Array.from({ length: 100_003 }, () => transfer)
  const find = Effect.gen(function* () {
    const source = yield* memory({ transfers, name: "the archive" })
    const lookUps = yield* Effect.provideService(LookUps.of("external_id", undefined), TransferSource, source)
    return yield* Effect.flip(lookUps.byKey?.(["same", "other"]) ?? Effect.die("it cannot"))
  })
  expect((await Effect.runPromise(find)).message).toBe(
    'the archive: more than 100,002 transfers have the keys that are looked up, most of them the external_id "same": leave this key out of the ledger, or give --look-ups 0',
  )
})
