import { spawnSync } from "node:child_process"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox, type Sandbox, type SandboxOptions } from "../local/Sandbox.ts"
import { credentials, startAws } from "./aws.ts"
import { giveCapabilities, startService } from "./service.ts"
import { type Unpacked, unpack } from "./unpacked.ts"

const proposal = {
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

const fixtures = new URL("fixtures/functions", import.meta.url).pathname
const clients = [RuntimeClient.plain, RuntimeClient.aws].filter((client) => client !== undefined)

let unpacked: Unpacked
beforeAll(async () => {
  unpacked = await unpack()
})
afterAll(() => unpacked[Symbol.asyncDispose]())

it("runs under AWS's own client wherever it must", () => {
  expect(clients.map(({ name }) => name)).toContain(
    process.env["VALIDATION_LAMBDA_RUNTIME"] === "aws" ? "aws-lambda-ric" : "plain",
  )
})

describe.each(clients)("the zip under the runtime client $name", { timeout: 30_000 }, (client) => {
  const open = (service: { readonly url: string }, options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
    openSandbox({
      taskRoot: unpacked.folder,
      handler: "lambda.handler",
      client,
      timeoutMillis: 5000,
      ...options,
      environment: {
        TRANSFERS_BASE_URL: service.url,
        TRANSFERS_PARTNER_ID: "partner",
        TRANSFERS_SECRET_KEY: "key",
        ...options.environment,
      },
    })

  it("answers, and logs one JSON object for each invocation", async () => {
    await using service = await startService()
    let output = ""
    await using sandbox = await open(service, { onOutput: (text) => (output += text) })
    const first = await sandbox.invoke(proposal)
    const second = await sandbox.invoke({ transfers: [proposal, { ...proposal, country_code: "XX" }] })
    expect(first).toMatchObject({ isError: false, payload: { valid: true }, initMillis: expect.any(Number) })
    expect(second).toMatchObject({ isError: false, payload: { valid: false, results: [{}, { valid: false }] } })
    expect(second).not.toHaveProperty("initMillis")
    const entries: ReadonlyArray<unknown> = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(entries).toMatchObject([
      { level: "INFO", message: "answered", event: "Direct", cold_start: true, proposals: 1, invalid: 0 },
      { level: "INFO", cold_start: false, proposals: 2, invalid: 1, violations: { unsupported_country: 1 } },
    ])
    expect(output).not.toContain("100.00")
  })

  it("reads the key from Secrets Manager, signed", async () => {
    await using aws = await startAws({ "secretsmanager.GetSecretValue": () => ({ SecretString: "key" }) })
    await using service = await startService()
    await using sandbox = await open(service, {
      environment: {
        ...credentials,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
        TRANSFERS_SECRET_ID: "transfers/key",
        TRANSFERS_SECRET_KEY: "",
      },
    })
    expect(await sandbox.invoke(proposal)).toMatchObject({ isError: false, payload: { valid: true } })
  })

  it("audits on a schedule", async () => {
    const created_at = "2024-09-01T11:59:00Z"
    const transfer = { id: "tr_1", kind: "cash_in", status: "complete", created_at }
    await using service = await startFakeServer({ partners: ["partner:key"], data: [transfer] })
    await using sandbox = await open(service)
    const event = { "detail-type": "Scheduled Event", source: "aws.events", time: "2024-09-01T12:00:00Z" }
    expect(await sandbox.invoke(event)).toMatchObject({
      isError: false,
      payload: { done: true, transfers: [{ id: "tr_1", findings: [{ code: "missing_network_transaction_id" }] }] },
    })
  })

  it("reports by name why it could not start", async () => {
    await using service = await startService()
    await using sandbox = await open(service, { environment: { TRANSFERS_PARTNER_ID: "" } })
    expect(await sandbox.invoke(proposal)).toMatchObject({
      isError: true,
      payload: {
        errorType: "InvalidSettings",
        errorMessage: expect.stringContaining("TRANSFERS_PARTNER_ID is not set"),
      },
    })
  })

  it("gives an error of its own before the deadline when the service does not answer", async () => {
    await using service = await startService(() => undefined)
    await using sandbox = await open(service, { timeoutMillis: 700 })
    const { payload, isError, durationMillis } = await sandbox.invoke(proposal)
    expect({ payload, isError }).toMatchObject({ isError: true, payload: { errorType: "OutOfTime" } })
    expect(durationMillis).toBeLessThan(700)
  })

  it("is frozen between invocations, and goes on with the capabilities it had", async () => {
    await using service = await startService()
    await using sandbox = await open(service)
    await sandbox.invoke(proposal)
    expect(stateOf(sandbox)).toBe("T")
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const { payload } = await sandbox.invoke(proposal)
    expect(payload).toMatchObject({ valid: true, capabilities: { age_seconds: 1 } })
    expect(service.requests).toHaveLength(1)
  })

  it.each(["closed", "reset"])("asks again, once, when its connection was %s while it was frozen", async (how) => {
    await using service = await startService()
    await using sandbox = await open(service, { environment: { TRANSFERS_CAPABILITIES_TTL: "1 millis" } })
    await sandbox.invoke(proposal)
    service.dropConnections(how === "reset")
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await sandbox.invoke(proposal)).toMatchObject({ isError: false, payload: { valid: true } })
    expect(service.requests).toHaveLength(2)
  })

  it("asks again, once, when the service drops the connection on its request", async () => {
    let asked = 0
    await using service = await startService((request, response) => {
      asked += 1
      if (asked === 2) request.socket.resetAndDestroy()
      else giveCapabilities(request, response)
    })
    await using sandbox = await open(service, { environment: { TRANSFERS_CAPABILITIES_TTL: "1 millis" } })
    await sandbox.invoke(proposal)
    expect(await sandbox.invoke(proposal)).toMatchObject({ isError: false, payload: { valid: true } })
    expect(asked).toBe(3)
  })
})

describe.each(clients)("the sandbox with the runtime client $name", { timeout: 30_000 }, (client) => {
  const open = () =>
    openSandbox({ taskRoot: fixtures, handler: "busy.handler", client, environment: {}, timeoutMillis: 400 })

  it("kills a function that overruns its time, and starts a new process after it", async () => {
    await using sandbox = await open()
    const first = await sandbox.invoke({})
    expect(first).toMatchObject({ isError: false, payload: { count: 1 } })
    expect(await sandbox.invoke({})).toMatchObject({ payload: { count: 2 } })
    expect(await sandbox.invoke({ overrun: true })).toMatchObject({
      isError: true,
      payload: {
        errorType: "Sandbox.Timedout",
        errorMessage: expect.stringMatching(/Task timed out after 0\.40 seconds$/),
      },
    })
    expect(await sandbox.invoke({})).toMatchObject({ payload: { count: 1 }, initMillis: expect.any(Number) })
  })

  it("tells of a process that ended by itself", async () => {
    await using sandbox = await open()
    expect(await sandbox.invoke({ exit: true })).toMatchObject({
      isError: true,
      payload: { errorType: "Runtime.ExitError", errorMessage: "The function's process ended with exit status 3." },
    })
  })
})

const stateOf = (sandbox: Sandbox): string =>
  spawnSync("ps", ["-o", "state=", "-p", String(sandbox.pid())], { encoding: "utf8" }).stdout.trim()
