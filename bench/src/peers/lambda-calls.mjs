/** Calls a bundled handler many times: `node lambda-calls.mjs BUNDLE EVENT.json CALLS`. */
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [bundle, eventFile, calls] = process.argv.slice(2)
const eventText = readFileSync(eventFile, "utf8")
const context = { awsRequestId: "bench", functionName: "bench", getRemainingTimeInMillis: () => 10_000 }

const { handler } = await import(pathToFileURL(bundle).href)
await handler(JSON.parse(eventText), context)
const start = performance.now()
for (let i = 0; i < Number(calls); i++) await handler(JSON.parse(eventText), context)
process.stderr.write(String(((performance.now() - start) / Number(calls)) * 1000))
process.exit(0)
