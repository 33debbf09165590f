import { spawnSync } from "node:child_process"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox, type Sandbox, type SandboxOptions } from "../local/Sandbox.ts"
import * as TaskRoot from "../local/TaskRoot.ts"
import { credentials, startAws } from "./aws.ts"
import { proposal } from "./proposal.ts"
import { sendCapabilities, startService } from "./service.ts"

const fixtures = new URL("fixtures/functions", import.meta.url).pathname
const clients = [RuntimeClient.plain, RuntimeClient.aws].filter((client) => client !== undefined)

let taskRoot: TaskRoot.TaskRoot
beforeAll(async () => {
  taskRoot = await TaskRoot.unpack()
})
afterAll(() => taskRoot[Symbol.asyncDispose]())

it("includes AWS's own client, which `pnpm lambda:runtime` builds", () => {
  expect(clients.map(({ name }) => name)).toEqual(["plain", "aws-lambda-ric"])
})

describe.each(clients)("the zip under the runtime client $name", (client) => {
  const open = (service: { readonly url: string }, options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
    openSandbox({
      taskRoot: taskRoot.folder,
      handler: "lambda.handler",
      client,
      timeoutMillis: 60_000,
      ...options,
      environment: {
        TRANSFERS_BASE_URL: service.url,
        TRANSFERS_PARTNER_ID: "partner",
        TRANSFERS_SECRET_KEY: "key",
        ...options.environment,
      },
    })

  it("returns verdicts, and logs one JSON object for each invocation", async () => {
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
      { level: "INFO", message: "succeeded", event: "Direct", cold_start: true, proposals: 1, invalid: 0 },
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

  it("fails to start with InvalidSettings", async () => {
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

  it("fails with OutOfTime before the deadline if the service does not respond", async () => {
    await using service = await startService(() => undefined)
    // The sandbox ends it with an error of its own at the deadline. After three seconds the service's is another one.
    await using sandbox = await open(service, { timeoutMillis: 2900 })
    const { payload, isError } = await sandbox.invoke(proposal)
    expect({ payload, isError }).toMatchObject({ isError: true, payload: { errorType: "OutOfTime" } })
  })

  it("is frozen between invocations, and keeps its capabilities", async () => {
    await using service = await startService()
    await using sandbox = await open(service)
    await sandbox.invoke(proposal)
    await expect.poll(() => stateOf(sandbox)).toBe("T")
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const { payload } = await sandbox.invoke(proposal)
    expect(payload).toMatchObject({ valid: true, capabilities: { age_seconds: expect.toSatisfy((age) => age >= 1) } })
    expect(service.requests).toHaveLength(1)
  })

  it.each(["closed", "reset"])(
    "sends a request again, once, if its connection was %s while it was frozen",
    async (how) => {
      await using service = await startService()
      await using sandbox = await open(service, { environment: { TRANSFERS_CAPABILITIES_TTL: "1 millis" } })
      await sandbox.invoke(proposal)
      service.dropConnections(how === "reset")
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(await sandbox.invoke(proposal)).toMatchObject({ isError: false, payload: { valid: true } })
      expect(service.requests).toHaveLength(2)
    },
  )

  it("sends a request again, once, if the service drops the connection", async () => {
    let requests = 0
    await using service = await startService((request, response) => {
      requests += 1
      if (requests === 2) request.socket.resetAndDestroy()
      else sendCapabilities(request, response)
    })
    await using sandbox = await open(service, { environment: { TRANSFERS_CAPABILITIES_TTL: "1 millis" } })
    await sandbox.invoke(proposal)
    expect(await sandbox.invoke(proposal)).toMatchObject({ isError: false, payload: { valid: true } })
    expect(requests).toBe(3)
  })
})

describe.each(clients)("the sandbox with the runtime client $name", (client) => {
  const open = () =>
    openSandbox({ taskRoot: fixtures, handler: "busy.handler", client, environment: {}, timeoutMillis: 5000 })

  it("kills a function that overruns its time, and starts a new process after it", async () => {
    await using sandbox = await open()
    const first = await sandbox.invoke({})
    expect(first).toMatchObject({ isError: false, payload: { count: 1 } })
    expect(await sandbox.invoke({})).toMatchObject({ payload: { count: 2 } })
    expect(await sandbox.invoke({ overrun: true })).toMatchObject({
      isError: true,
      payload: {
        errorType: "Sandbox.Timedout",
        errorMessage: expect.stringMatching(/Task timed out after 5\.00 seconds$/),
      },
    })
    expect(await sandbox.invoke({})).toMatchObject({ payload: { count: 1 }, initMillis: expect.any(Number) })
  })

  it("reports a process that ended by itself", async () => {
    await using sandbox = await open()
    expect(await sandbox.invoke({ exit: true })).toMatchObject({
      isError: true,
      payload: { errorType: "Runtime.ExitError", errorMessage: "The function's process ended with exit status 3." },
    })
  })
})

const stateOf = (sandbox: Sandbox): string =>
  spawnSync("ps", ["-o", "state=", "-p", String(sandbox.pid())], { encoding: "utf8" }).stdout.trim()
