import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposal } from "./proposal.ts"
import { capabilitiesText, sendCapabilities, sendJson, startService } from "./service.ts"

/** A service that can be broken and repaired. */
const startFragile = async () => {
  const state = { isBroken: false, delay: 0 }
  const service = await startService((request, response) => {
    if (state.isBroken) response.writeHead(503).end()
    else setTimeout(() => sendCapabilities(request, response), state.delay)
  })
  return { ...service, state }
}

const minutes = 60_000

describe("the capabilities", () => {
  it("are requested again when they have expired, not before", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url, { TRANSFERS_CAPABILITIES_TTL: "10 minutes" })
    await lambda.invoke(proposal)
    lambda.advance(10 * minutes - 1000)
    expect(await lambda.invoke(proposal)).toMatchObject({ capabilities: { age_seconds: 599 } })
    expect(service.requests).toHaveLength(1)
    lambda.advance(1000)
    expect(await lambda.invoke(proposal)).toMatchObject({ capabilities: { age_seconds: 0 } })
    expect(service.requests).toHaveLength(2)
  })

  it("are requested once, however many invocations wait for them", async () => {
    await using service = await startFragile()
    service.state.delay = 30
    const lambda = makeLambda(service.url)
    const results = await Promise.all(Array.from({ length: 50 }, () => lambda.invoke(proposal)))
    expect(results.filter((result) => JSON.stringify(result).startsWith('{"valid":true'))).toHaveLength(50)
    expect(service.requests).toHaveLength(1)
  })

  it("fail all invocations that wait for them, and are requested again by the next one", async () => {
    await using service = await startFragile()
    service.state.isBroken = true
    const lambda = makeLambda(service.url)
    const endings = await Promise.allSettled(Array.from({ length: 9 }, () => lambda.invoke(proposal)))
    expect(endings.map(({ status }) => status)).toEqual(Array(9).fill("rejected"))
    expect(service.requests).toHaveLength(1)
    service.state.isBroken = false
    expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
  })

  it("are requested anew after an invocation that ran out of time", async () => {
    await using service = await startFragile()
    service.state.delay = 60_000
    const lambda = makeLambda(service.url)
    await expect(lambda.invoke(proposal, 250)).rejects.toMatchObject({ name: "OutOfTime" })
    service.state.delay = 0
    expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
    expect(service.requests).toHaveLength(2)
  })

  it("have a hash that ignores the order of their keys and changes with their content", async () => {
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(capabilitiesText)).toReversed()))
    const other = capabilitiesText.replace('"5.00"', '"6.00"')
    const hashes: Array<unknown> = []
    for (const text of [capabilitiesText, reversed, other]) {
      await using service = await startService((_, response) => sendJson(response, text))
      hashes.push(await makeLambda(service.url).invoke(proposal))
    }
    const [first, second, third] = hashes
    expect(second).toEqual(first)
    expect(third).not.toEqual(first)
  })
})

describe("when the service fails and the capabilities have expired", () => {
  it("gives no verdict by default", async () => {
    await using service = await startFragile()
    const lambda = makeLambda(service.url)
    await lambda.invoke(proposal)
    service.state.isBroken = true
    lambda.advance(6 * minutes)
    await expect(lambda.invoke(proposal)).rejects.toMatchObject({ name: "ServiceUnavailable" })
  })

  it("validates by the expired ones with stale-if-error, up to their maximum age, and says so", async () => {
    await using service = await startFragile()
    const lambda = makeLambda(service.url, {
      TRANSFERS_CAPABILITIES_POLICY: "stale-if-error",
      TRANSFERS_CAPABILITIES_MAX_AGE: "1 hour",
    })
    await lambda.invoke(proposal)
    service.state.isBroken = true
    lambda.advance(59 * minutes)
    expect(await lambda.invoke(proposal)).toMatchObject({
      valid: true,
      capabilities: { age_seconds: 59 * 60, stale: true },
    })
    expect(lambda.log).toContainEqual(expect.objectContaining({ level: "WARN", error: "ServiceUnavailable" }))
    lambda.advance(minutes)
    await expect(lambda.invoke(proposal)).rejects.toMatchObject({ name: "ServiceUnavailable" })
  })

  it.each(["off", "best-effort"])(
    "validates by the expired ones with stale-if-error in the time that is left, with the duplicate check %s",
    async (mode) => {
      await using service = await startFragile()
      const lambda = makeLambda(service.url, {
        TRANSFERS_CAPABILITIES_POLICY: "stale-if-error",
        TRANSFERS_DUPLICATE_CHECK: mode,
      })
      await lambda.invoke(proposal)
      service.state.delay = 60_000
      lambda.advance(6 * minutes)
      const result = await lambda.invoke({ ...proposal, external_id: "order-1" }, 2500)
      expect(result).toMatchObject({ valid: true, capabilities: { stale: true } })
      expect(Object(result).capabilities.age_seconds).toBeGreaterThanOrEqual(360)
      expect(lambda.log).toContainEqual(expect.objectContaining({ level: "WARN", error: "OutOfTime" }))
    },
  )

  it("waits with stale-if-error before it requests them again, and uses the service when it recovers", async () => {
    await using service = await startFragile()
    const lambda = makeLambda(service.url, {
      TRANSFERS_CAPABILITIES_POLICY: "stale-if-error",
      TRANSFERS_CAPABILITIES_RETRY_AFTER: "30 seconds",
    })
    await lambda.invoke(proposal)
    service.state.isBroken = true
    lambda.advance(6 * minutes)
    for (let count = 0; count < 5; count += 1) await lambda.invoke(proposal)
    expect(service.requests).toHaveLength(2)
    service.state.isBroken = false
    lambda.advance(30_000)
    const result = await lambda.invoke(proposal)
    expect(result).toMatchObject({ capabilities: { age_seconds: 0 } })
    expect(result).not.toHaveProperty("capabilities.stale")
    expect(service.requests).toHaveLength(3)
  })
})
