/** How fast it is. Ratios of what is measured side by side, so that a busy machine slows both. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox } from "../local/Sandbox.ts"
import { makeLambda } from "./invoke.ts"
import { startService } from "./service.ts"
import { unpack } from "./unpacked.ts"

const proposal = {
  external_id: "order-1",
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

/** An empty handler, and one that asks the service for its capabilities and does nothing with them. */
const handlers = {
  "empty.mjs": "export const handler = async () => ({ ok: true })",
  "asking.mjs": `
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
  it("costs no more than 2.4 times an empty handler's, and as much with the first answer over a bare request", async () => {
    await using service = await startService()
    await using unpacked = await unpack()
    for (const [name, code] of Object.entries(handlers)) await writeFile(join(unpacked.folder, name), code)
    const measure = async (handler: string) => {
      await using sandbox = await openSandbox({
        taskRoot: unpacked.folder,
        handler,
        client: RuntimeClient.aws ?? RuntimeClient.plain,
        timeoutMillis: 5000,
        environment: {
          TRANSFERS_BASE_URL: service.url,
          TRANSFERS_PARTNER_ID: "partner",
          TRANSFERS_SECRET_KEY: "key",
        },
      })
      const { isError, initMillis = Number.NaN, durationMillis } = await sandbox.invoke(proposal)
      expect(isError).toBe(false)
      return { init: initMillis, first: initMillis + durationMillis }
    }
    const names = ["empty.handler", "asking.handler", "lambda.handler"] as const
    const best = new Map(names.map((name) => [name, { init: Infinity, first: Infinity }]))
    for (let round = 0; round < 9; round += 1) {
      for (const name of names) {
        const { init, first } = await measure(name)
        const before = best.get(name)
        best.set(name, {
          init: Math.min(init, before?.init ?? Infinity),
          first: Math.min(first, before?.first ?? Infinity),
        })
      }
    }
    const [empty, asking, lambda] = names.map((name) => best.get(name) ?? { init: 0, first: 0 })
    await report({ empty, asking, lambda })
    expect(lambda?.init).toBeLessThan(2.4 * (empty?.init ?? 0))
    expect(lambda?.first).toBeLessThan(2.4 * (asking?.first ?? 0))
  }, 60_000)
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
    await report({ warm: millis })
    expect(millis).toBeLessThan(0.5)
    expect(service.requests).toHaveLength(1)
  })
})

/** Kept beside the build, for people to read. */
const report = async (figures: object): Promise<void> => {
  const dist = new URL("../dist/", import.meta.url)
  await mkdir(dist, { recursive: true })
  const [name] = Object.keys(figures)
  await writeFile(new URL(`start-${name}.json`, dist), `${JSON.stringify(figures, null, 2)}\n`)
}
