import { once } from "node:events"
/** The export script that people write: `node fetch-export.mjs FILE`. */
import { createWriteStream } from "node:fs"

const { TRANSFERS_BASE_URL, TRANSFERS_PARTNER_ID, TRANSFERS_SECRET_KEY } = process.env
const authorization = `Basic ${btoa(`${TRANSFERS_PARTNER_ID}:${TRANSFERS_SECRET_KEY}`)}`
const out = createWriteStream(process.argv[2])

let cursor = ""
for (;;) {
  const response = await fetch(`${TRANSFERS_BASE_URL}/v1/transfers/search?limit=20${cursor}`, {
    headers: { authorization },
  })
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  const { results, page_info } = await response.json()
  const lines = results.map((transfer) => `${JSON.stringify(transfer)}\n`).join("")
  if (!out.write(lines)) await once(out, "drain")
  if (!page_info.has_next_page) break
  cursor = `&after_cursor=${encodeURIComponent(page_info.end_cursor)}`
}
out.end()
