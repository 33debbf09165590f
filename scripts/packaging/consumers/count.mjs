/** Counts the transfers of the service whose address is given, with everything passed and nothing of the environment. */
import { createTransferClient, RateLimited } from "@transferkit/http-client/promise"

const [baseUrl] = process.argv.slice(-1)
const client = createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret" })
let transfers = 0
let instants = 0
for await (const { created_at } of client.list()) {
  transfers++
  if (typeof Temporal === "undefined") continue
  // Exact, where the run time has it.
  const instant = created_at.toTemporalInstant()
  if (instant.epochNanoseconds === created_at.epochNanoseconds) instants++
}
const hasTemporal = typeof Temporal !== "undefined"
if (hasTemporal && instants !== transfers) throw new Error(`${instants} of ${transfers} instants`)
if (hasTemporal) await client.search({ created_at: { lt: Temporal.Now.instant() }, limit: 1 })
const [verdict] = await client.validate({ country_code: "AQ" })
if (verdict.valid || RateLimited.name !== "RateLimited") throw new Error("verdict, or name")
console.log(`${transfers} transfers`)
