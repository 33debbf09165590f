/** `GET /?since=…&until=…`: how many transfers were created, and exact totals of the completed ones, by currency. */
import { createTransferClient } from "@transferkit/http-client/promise"

export default {
  /**
   * @param {Request} request
   * @param {Record<string, string>} env
   * @returns {Promise<Response>}
   */
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const client = createTransferClient({
      baseUrl: env.TRANSFERS_BASE_URL,
      partnerId: env.TRANSFERS_PARTNER_ID,
      secretKey: env.TRANSFERS_SECRET_KEY,
    })
    const [gte, lt] = [searchParams.get("since"), searchParams.get("until")]
    // A bound that is undefined is rejected: without it, everything would be read.
    const created_at = { ...(gte !== null && { gte }), ...(lt !== null && { lt }) }
    let transfers = 0
    const totals = new Map()
    for await (const { results } of client.scan({ created_at })) {
      transfers += results.length
      for (const { status, source_total } of results) {
        if (status !== "complete" || source_total === undefined) continue
        const { amount, currency_code } = source_total
        totals.set(currency_code, totals.get(currency_code)?.plus(amount) ?? amount)
      }
    }
    const text = [...totals].map(([currency_code, amount]) => [currency_code, amount.toFixed()])
    return Response.json({ transfers, totals: Object.fromEntries(text) })
  },
}
