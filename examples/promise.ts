/** `node promise.ts YEAR-MONTH`: exact totals of a month's completed transfers by currency, without Effect. */
import * as Money from "@transferkit/domain/Money"
import { createTransferClient, Unauthorized } from "@transferkit/http-client/promise"
import * as Result from "effect/Result"

const [month = ""] = process.argv.slice(2)
const start = new Date(`${month}-01T00:00:00Z`)
const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))

const client = createTransferClient({
  baseUrl: process.env["TRANSFERS_BASE_URL"] ?? "",
  partnerId: process.env["TRANSFERS_PARTNER_ID"] ?? "",
  secretKey: process.env["TRANSFERS_SECRET_KEY"] ?? "",
})

const totals = new Map<string, Money.Money>()
const created_at = { gte: start.toISOString(), lt: end.toISOString() }

try {
  for await (const { status, source_total } of client.list({ created_at })) {
    if (status !== "complete" || source_total === undefined) continue
    const { currency_code } = source_total
    const before = totals.get(currency_code)
    // Both are of one currency, so adding them cannot fail.
    const total = before === undefined ? source_total : Result.getOrThrow(Money.add(before, source_total))
    totals.set(currency_code, total)
  }
  for (const code of [...totals.keys()].toSorted()) console.log(String(totals.get(code)))
} catch (error) {
  if (!(error instanceof Unauthorized)) throw error
  console.error("The secret key is wrong.")
  process.exitCode = 1
}
