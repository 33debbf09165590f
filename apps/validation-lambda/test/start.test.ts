/**
 * How fast it is, in CPU time, which a busy machine changes less than wall time. Two that are compared run one after the
 * other, because the machine changes; one pair within the limit shows what the code takes, and the others the machine.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as TaskRoot from "../local/TaskRoot.ts"
import { makeLambda } from "./invoke.ts"
import { proposalOf } from "./proposal.ts"
import { startService } from "./service.ts"

const proposal = proposalOf("order-1")

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

/** 1.9 to 2.0 each. `pnpm budgets function` counts instructions, and is exact. */
const mostOfBare = 2.5

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
    const ratio = { start: Infinity, verdict: Infinity }
    const isWithin = () => ratio.start < mostOfBare && ratio.verdict < mostOfBare
    for (let round = 0; round < 9 || (round < 40 && !isWithin()); round += 1) {
      const empty = await measure("empty.mjs", false)
      const start = await measure("lambda.mjs", false)
      const requesting = await measure("requesting.mjs", true)
      const verdict = await measure("lambda.mjs", true)
      ratio.start = Math.min(ratio.start, start / empty)
      ratio.verdict = Math.min(ratio.verdict, verdict / requesting)
      best.empty = Math.min(best.empty, empty)
      best.start = Math.min(best.start, start)
      best.requesting = Math.min(best.requesting, requesting)
      best.verdict = Math.min(best.verdict, verdict)
    }
    await report("cold", best)
    expect(ratio.start).toBeLessThan(mostOfBare)
    expect(ratio.verdict).toBeLessThan(mostOfBare)
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
    let millis = Infinity
    for (let round = 0; round < 3 || (round < 30 && millis >= 0.5); round += 1)
      millis = Math.min(millis, await cpu(300))
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
