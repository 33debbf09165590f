/** A worker at the edge: counts the transfers of a service. */
import { createTransferClient } from "@transferkit/http-client/promise"

export default {
  async fetch(request) {
    const { baseUrl, partnerId, secretKey } = await request.json()
    let count = 0
    for await (const { results } of createTransferClient({ baseUrl, partnerId, secretKey }).scan())
      count += results.length
    return new Response(String(count))
  },
}
