import { describe, expect, it } from "vitest"
import * as AwsRequest from "../src/aws/AwsRequest.ts"
import { credentials, Raw, startAws } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { proposal } from "./proposal.ts"
import { capabilitiesText, startService } from "./service.ts"

/** The service, which accepts one key at a time. */
const startStrict = (keyNow: () => string) =>
  startService((request, response) => {
    const isAllowed = request.headers.authorization === `Basic ${Buffer.from(`partner:${keyNow()}`).toString("base64")}`
    response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" })
    response.end(isAllowed ? capabilitiesText : "{}")
  })

const settings = (aws: string, more: Record<string, string>) => ({
  ...credentials,
  AWS_ENDPOINT_URL: aws,
  TRANSFERS_SECRET_KEY: "",
  ...more,
})

describe("the partner's key", () => {
  it.each([
    ["Secrets Manager, as a text", { TRANSFERS_SECRET_ID: "transfers/key" }, { SecretString: "key-1\n" }],
    [
      "Secrets Manager, as a text that looks like JSON",
      { TRANSFERS_SECRET_ID: "key" },
      { SecretString: "{key}\n" },
      "{key}",
    ],
    ["Secrets Manager, as JSON", { TRANSFERS_SECRET_ID: "transfers/key" }, { SecretString: '{"secret_key":"key-1"}' }],
    ["Parameter Store", { TRANSFERS_SECRET_PARAMETER: "/transfers/key" }, { Parameter: { Value: "key-1" } }],
  ])("comes from %s, and is read once", async (_, source, output, key = "key-1") => {
    let reads = 0
    const give = () => {
      reads += 1
      return output
    }
    await using aws = await startAws({ "secretsmanager.GetSecretValue": give, "AmazonSSM.GetParameter": give })
    await using service = await startStrict(() => key)
    const lambda = makeLambda(service.url, settings(aws.url, { ...source, TRANSFERS_CAPABILITIES_TTL: "0 seconds" }))
    for (let count = 0; count < 3; count += 1) expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
    expect({ reads, asked: service.requests.length }).toEqual({ reads: 1, asked: 3 })
  })

  it("is read again after a rotation, and the invocation does not notice", async () => {
    let key = "old"
    let reads = 0
    await using aws = await startAws({
      "secretsmanager.GetSecretValue": () => {
        reads += 1
        return { SecretString: key }
      },
    })
    await using service = await startStrict(() => key)
    const lambda = makeLambda(
      service.url,
      settings(aws.url, { TRANSFERS_SECRET_ID: "transfers/key", TRANSFERS_CAPABILITIES_TTL: "0 seconds" }),
    )
    await lambda.invoke(proposal)
    key = "new"
    lambda.advance(11_000)
    expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
    expect({ reads, asked: service.requests.length }).toEqual({ reads: 2, asked: 3 })
  })

  it("is not read for each invocation while the service rejects it", async () => {
    let reads = 0
    await using aws = await startAws({
      "secretsmanager.GetSecretValue": () => {
        reads += 1
        return { SecretString: "wrong" }
      },
    })
    await using service = await startStrict(() => "right")
    const lambda = makeLambda(service.url, settings(aws.url, { TRANSFERS_SECRET_ID: "transfers/key" }))
    for (let count = 0; count < 5; count += 1) {
      await expect(lambda.invoke(proposal)).rejects.toMatchObject({ name: "Unauthorized" })
    }
    expect(reads).toBe(1)
  })

  it("fails with KeyUnavailable while it cannot be read, and recovers", async () => {
    let isAllowed = false
    await using aws = await startAws({
      "secretsmanager.GetSecretValue": () => (isAllowed ? { SecretString: "key-1" } : "AccessDeniedException"),
    })
    await using service = await startStrict(() => "key-1")
    const lambda = makeLambda(service.url, settings(aws.url, { TRANSFERS_SECRET_ID: "transfers/key" }))
    await expect(lambda.invoke(proposal)).rejects.toMatchObject({
      name: "KeyUnavailable",
      message: expect.stringContaining("AccessDeniedException"),
    })
    isAllowed = true
    expect(await lambda.invoke(proposal)).toMatchObject({ valid: true })
    expect(JSON.stringify(lambda.log)).not.toMatch(/key-1|role-secret|role-token/)
  })

  it.each([
    ["null", "neither a text nor"],
    ["7", "neither a text nor"],
    ["oops", "status 200"],
  ])("fails with KeyUnavailable if AWS responds with %s", async (text, reason) => {
    await using aws = await startAws({ "secretsmanager.GetSecretValue": () => new Raw(200, text) })
    const lambda = makeLambda("http://127.0.0.1:1", settings(aws.url, { TRANSFERS_SECRET_ID: "transfers/key" }))
    await expect(lambda.invoke(proposal)).rejects.toMatchObject({
      name: "KeyUnavailable",
      message: expect.stringContaining(reason),
    })
  })

  it("fails with KeyUnavailable, and the reason of the connection, if AWS cannot be reached", async () => {
    const lambda = makeLambda(
      "http://127.0.0.1:1",
      settings("http://127.0.0.1:1", { TRANSFERS_SECRET_ID: "transfers/key" }),
    )
    await expect(lambda.invoke(proposal)).rejects.toMatchObject({
      name: "KeyUnavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    })
  })

  it.each([
    ["eu-west-1", "https://secretsmanager.eu-west-1.amazonaws.com/"],
    ["cn-north-1", "https://secretsmanager.cn-north-1.amazonaws.com.cn/"],
  ])("comes in %s from %s", (region, url) => {
    expect(AwsRequest.endpointOf("secretsmanager", { region, endpoint: undefined }).href).toBe(url)
  })

  it("must come from exactly one source", () => {
    expect(() => makeLambda("http://127.0.0.1:1", { TRANSFERS_SECRET_ID: "a" })).toThrow(/set exactly one of/)
    expect(() => makeLambda("http://127.0.0.1:1", { TRANSFERS_SECRET_KEY: "" })).toThrow(/set exactly one of/)
  })
})
