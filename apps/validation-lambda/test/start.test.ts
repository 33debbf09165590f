/** How fast it is, in CPU time, which a busy machine changes less than wall time, as ratios of what runs side by side. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as TaskRoot from "../local/TaskRoot.ts"
import { makeLambda } from "./invoke.ts"
import { startService } from "./service.ts"

const proposal = {
  external_id: "order-1",
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

/** An empty handler, and one that only requests the capabilities. */
const handlers = {
  "empty.mjs": "export const handler = async () => ({ ok: true })",
  "requesting.mjs": `
    const { get } = process.getBuiltinModule("node:http")
    const auth = "partner:key"
    export const handler = () => new Promise((resolve, reject) => {
      get(process.env.TRANSFERS_BASE_URL + "/v1/capabilities", { auth }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve(JSON.parse(text)))
      }).on("error", reject)
    })`,
}

describe("a cold start", () => {
  it("stays near the CPU of an empty handler, and with a first verdict near that of a bare request", async () => {
    await using service = await startService()
    await using taskRoot = await TaskRoot.unpack()
    for (const [name, code] of Object.entries(handlers)) await writeFile(join(taskRoot.folder, name), code)
    const env = { TRANSFERS_BASE_URL: service.url, TRANSFERS_PARTNER_ID: "partner", TRANSFERS_SECRET_KEY: "key" }
    const measure = async (file: string, isInvoked: boolean): Promise<number> => {
      const invoke = `.then(({ handler }) => handler(${JSON.stringify(proposal)}, { getRemainingTimeInMillis: () => 5000 }))`
      const code = `import(${JSON.stringify(join(taskRoot.folder, file))})${isInvoked ? invoke : ""}
        .then(() => { const { user, system } = process.cpuUsage(); console.error(user + system); process.exit() })`
      const child = spawn(process.execPath, ["-e", code], { env, stdio: ["ignore", "ignore", "pipe"] })
      let text = ""
      child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part))
      await once(child, "close")
      expect(text).toMatch(/^\d+\n$/)
      return Number(text) / 1000
    }
    const best = { empty: Infinity, start: Infinity, requesting: Infinity, verdict: Infinity }
    for (let round = 0; round < 9; round += 1) {
      best.empty = Math.min(best.empty, await measure("empty.mjs", false))
      best.start = Math.min(best.start, await measure("lambda.mjs", false))
      best.requesting = Math.min(best.requesting, await measure("requesting.mjs", true))
      best.verdict = Math.min(best.verdict, await measure("lambda.mjs", true))
    }
    await report("cold", best)
    // 1.9 to 2.0 each. `pnpm budgets function` counts instructions, and is exact.
    expect(best.start / best.empty).toBeLessThan(2.5)
    expect(best.verdict / best.requesting).toBeLessThan(2.5)
  })
})

describe("a warm invocation", () => {
  it("takes at most half a millisecond of CPU for one proposal", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    const cpu = async (count: number): Promise<number> => {
      const before = process.cpuUsage()
      for (let done = 0; done < count; done += 1) await lambda.invoke(proposal)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000 / count
    }
    await cpu(300)
    const millis = Math.min(await cpu(300), await cpu(300), await cpu(300))
    await report("warm", { millis })
    expect(millis).toBeLessThan(0.5)
    expect(service.requests).toHaveLength(1)
  })
})

/** Kept beside the build, for people to read. In milliseconds of CPU. */
const report = async (name: string, figures: object): Promise<void> => {
  const dist = new URL("../dist/", import.meta.url)
  await mkdir(dist, { recursive: true })
  await writeFile(new URL(`${name}.json`, dist), `${JSON.stringify(figures)}\n`)
}
