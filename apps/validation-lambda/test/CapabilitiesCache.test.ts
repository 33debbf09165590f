import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { capabilitiesText, giveCapabilities, sendJson, startService } from "./service.ts"

const proposal = {
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

/** A service that can be broken and mended. */
const startFragile = async () => {
  const state = { isBroken: false, delay: 0 }
  const service = await startService((request, response) => {
    if (state.isBroken) response.writeHead(503).end()
    else setTimeout(() => giveCapabilities(request, response), state.delay)
  })
  return { ...service, state }
}

const minutes = 60_000

describe("the capabilities", () => {
  it("are asked for again once their time is over, not before", async () => {
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

  it("are asked for once, however many invocations wait for them", async () => {
    await using service = await startFragile()
    service.state.delay = 30
    const lambda = makeLambda(service.url)
    const answers = await Promise.all(Array.from({ length: 50 }, () => lambda.invoke(proposal)))
    expect(answers.filter((answer) => JSON.stringify(answer).startsWith('{"valid":true'))).toHaveLength(50)
    expect(service.requests).toHaveLength(1)
  })

  it("fail all who wait together, and are asked for again by the next", async () => {
    await using service = await startFragile()
    service.state.isBroken = true
    const lambda = makeLambda(service.url)
    const endings = await Promise.allSettled(Array.from({ length: 9 }, () => lambda.invoke(proposal)))
    expect(endings.map(({ status }) => status)).toEqual(Array(9).fill("rejected"))
    expect(service.requests).toHaveLength(1)
    service.state.isBroken = false
    expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
  })

  it("are not waited for by the next invocation when the one that asked ran out of time", async () => {
    await using service = await startFragile()
    service.state.delay = 60_000
    const lambda = makeLambda(service.url)
    await expect(lambda.invoke(proposal, 250)).rejects.toMatchObject({ name: "OutOfTime" })
    service.state.delay = 0
    expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
    expect(service.requests).toHaveLength(2)
  })

  it("have a hash that does not depend on the order of their keys, and changes with their content", async () => {
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

describe("when the service fails and the capabilities are past their time", () => {
  it("there is no verdict by default", async () => {
    await using service = await startFragile()
    const lambda = makeLambda(service.url)
    await lambda.invoke(proposal)
    service.state.isBroken = true
    lambda.advance(6 * minutes)
    await expect(lambda.invoke(proposal)).rejects.toMatchObject({ name: "ServiceUnavailable" })
  })

  it("stale-if-error judges by the old ones and says so, up to their greatest age", async () => {
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

  it("stale-if-error leaves a failing service alone for a while, and takes it back when it recovers", async () => {
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
    const answer = await lambda.invoke(proposal)
    expect(answer).toMatchObject({ capabilities: { age_seconds: 0 } })
    expect(answer).not.toHaveProperty("capabilities.stale")
    expect(service.requests).toHaveLength(3)
  })
})
