/** Runs a bundled handler as a runtime would: `node lambda-runtime.mjs BUNDLE EVENT.json WARM_CALLS`. */
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [bundle, eventFile, warmCalls] = process.argv.slice(2)
const eventText = readFileSync(eventFile, "utf8")
const context = { awsRequestId: "bench", functionName: "bench", getRemainingTimeInMillis: () => 10_000 }

const { handler } = await import(pathToFileURL(bundle).href)
const init = performance.now()
const answer = await handler(JSON.parse(eventText), context)
const first = performance.now() - init
const start = performance.now()
for (let i = 0; i < Number(warmCalls); i++) await handler(JSON.parse(eventText), context)
const warm = ((performance.now() - start) / Number(warmCalls)) * 1000
process.stderr.write(JSON.stringify({ init, first, warm, answer }))
process.exit(0)
