/** A team without Effect: every operation of the Promise client, its types, and one of its errors. */
import { deepEqual, equal, ok } from "node:assert/strict"
import {
  createTransferClient,
  type Report,
  type Transfer,
  type TransferError,
  TransferKitError,
  Unauthorized,
} from "@transferkit/http-client/promise"

const client = createTransferClient()
const { supported_countries, response } = await client.capabilities()
ok(supported_countries.length > 0 && response.attempts === 1)
const { results } = await client.search()
const list = client.list()
const listed: Array<Transfer> = []
for await (const transfer of list) listed.push(transfer)
const report: Report = list.report()
ok(report.isComplete && report.transfers === listed.length)
deepEqual(
  results.map(({ id }) => id),
  listed.slice(0, 20).map(({ id }) => id),
)
const scanned: Array<string> = []
for await (const batch of client.scan()) scanned.push(...batch.results.map(({ id }) => id))
deepEqual(scanned.sort(), listed.map(({ id }) => id).sort())
const total = listed
  .map(({ source_total }) => source_total?.amount)
  .reduce((sum, amount) => (amount && sum ? sum.plus(amount) : sum))
ok(total?.isPositive())

const wrong = createTransferClient({ secretKey: "wrong" })
const error = await wrong.search().then(
  () => undefined,
  (reason: TransferError) => reason,
)
ok(error instanceof Unauthorized && error instanceof TransferKitError && error.code === "unauthorized")
equal(error.isRetryable, false)
console.log(`${listed.length} transfers by promises, Node ${process.versions.node}`)
