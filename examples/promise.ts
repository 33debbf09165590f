/** `node promise.ts YEAR-MONTH`: exact totals of a month's completed transfers by currency, without Effect. */
import { createTransferClient, type Money, Unauthorized } from "@transferkit/http-client/promise"

const [month = ""] = process.argv.slice(2)
const start = new Date(`${month}-01T00:00:00Z`)
const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))

// Reads TRANSFERS_BASE_URL, TRANSFERS_PARTNER_ID and TRANSFERS_SECRET_KEY.
const client = createTransferClient()

const totals = new Map<string, Money["amount"]>()
const created_at = { gte: start.toISOString(), lt: end.toISOString() }

try {
  for await (const { status, source_total } of client.list({ created_at })) {
    if (status !== "complete" || source_total === undefined) continue
    const { amount, currency_code } = source_total
    totals.set(currency_code, totals.get(currency_code)?.plus(amount) ?? amount)
  }
  for (const code of [...totals.keys()].toSorted()) console.log(totals.get(code)?.toFixed(), code)
} catch (error) {
  if (!(error instanceof Unauthorized)) throw error
  console.error("The secret key is wrong.")
  process.exitCode = 1
}
