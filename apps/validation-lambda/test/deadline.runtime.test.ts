/** A service that hangs, in each of its ways, ends before the function's deadline, under each runtime client. */
import { createServer, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox } from "../local/Sandbox.ts"
import * as TaskRoot from "../local/TaskRoot.ts"
import { credentials } from "./aws.ts"
import { proposalOf } from "./proposal.ts"
import { capabilitiesText, sendCapabilities, type Respond, startService } from "./service.ts"

const proposal = proposalOf("order-1")

const http = {
  version: "2.0",
  requestContext: { http: { method: "POST" } },
  headers: { "content-type": "application/json" },
  body: JSON.stringify(proposal),
}
const queue = { Records: [{ messageId: "m-1", eventSource: "aws:sqs", body: JSON.stringify(proposal) }] }
const audit = { audit: { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" } }

/** Accepts connections and never says a word: not even a greeting of TLS or of PostgreSQL. */
const startSilence = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const hangs: ReadonlyArray<readonly [how: string, respond: Respond]> = [
  ["does not respond", () => undefined],
  [
    "stops after the headers",
    (_, response) => void response.writeHead(200, { "content-type": "application/json" }).flushHeaders(),
  ],
  ["stops within the body", (_, response) => void response.writeHead(200).write(capabilitiesText.slice(0, 40))],
  [
    "sends a byte at a time",
    (_, response) => {
      response.writeHead(200)
      let at = 0
      const timer = setInterval(() => response.write(capabilitiesText[at++] ?? " "), 100)
      response.on("close", () => clearInterval(timer))
    },
  ],
]

const afterCapabilities: Respond = (request, response) => {
  if (request.url === "/v1/capabilities") sendCapabilities(request, response)
}

const clients = [RuntimeClient.plain, RuntimeClient.aws].filter((client) => client !== undefined)
const timeoutMillis = 2000

let taskRoot: TaskRoot.TaskRoot
beforeAll(async () => {
  taskRoot = await TaskRoot.unpack()
})
afterAll(() => taskRoot[Symbol.asyncDispose]())

describe.each(clients)("under the runtime client $name", (client) => {
  const invoke = async (url: string, event: unknown, environment: Readonly<Record<string, string>> = {}) => {
    await using sandbox = await openSandbox({
      taskRoot: taskRoot.folder,
      handler: "lambda.handler",
      client,
      timeoutMillis,
      environment: {
        TRANSFERS_BASE_URL: url,
        TRANSFERS_PARTNER_ID: "partner",
        TRANSFERS_SECRET_KEY: "key",
        ...environment,
      },
    })
    const result = await sandbox.invoke(event)
    // The sandbox kills what overruns its time, and its error would be another one.
    expect(result.durationMillis).toBeLessThan(timeoutMillis)
    return result
  }

  it.each(hangs)("a service that %s ends in 504", async (_, respond) => {
    await using service = await startService(respond)
    expect(await invoke(service.url, http)).toMatchObject({
      isError: false,
      payload: { statusCode: 504, body: expect.stringContaining("timed_out") },
    })
  })

  it("a service that accepts a connection and says nothing ends in 504, and the direct call in OutOfTime", async () => {
    await using silence = await startSilence()
    expect(await invoke(silence.url, http)).toMatchObject({ payload: { statusCode: 504 } })
    expect(await invoke(silence.url, proposal)).toMatchObject({ isError: true, payload: { errorType: "OutOfTime" } })
    expect(await invoke(silence.url, queue)).toMatchObject({ isError: true, payload: { errorType: "OutOfTime" } })
    expect(await invoke(silence.url, audit)).toMatchObject({ isError: true, payload: { errorType: "OutOfTime" } })
  })

  it("a search that hangs ends in 504, in unchecked ids, or in a message that goes back", async () => {
    await using service = await startService(afterCapabilities)
    const check = (mode: string) => ({ TRANSFERS_DUPLICATE_CHECK: mode, TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "1 minute" })
    expect(await invoke(service.url, http, check("required"))).toMatchObject({ payload: { statusCode: 504 } })
    expect(await invoke(service.url, proposal, check("best-effort"))).toMatchObject({
      payload: { valid: true, duplicates: { unchecked: 1 } },
    })
    expect(await invoke(service.url, queue, check("required"))).toMatchObject({
      payload: { batchItemFailures: [{ itemIdentifier: "m-1" }] },
    })
    expect(await invoke(service.url, audit)).toMatchObject({ isError: true, payload: { errorType: "OutOfTime" } })
  })

  it("AWS's services that hang end in time too, and a verdict does not wait for the bucket", async () => {
    await using service = await startService(afterCapabilities)
    await using silence = await startSilence()
    const aws = { ...credentials, AWS_ENDPOINT_URL: silence.url }
    const secret = { ...aws, TRANSFERS_SECRET_KEY: "", TRANSFERS_SECRET_ID: "key" }
    expect(await invoke(service.url, http, secret)).toMatchObject({ payload: { statusCode: 504 } })
    const bucket = { ...aws, TRANSFERS_CAPABILITIES_BUCKET: "copies" }
    expect(await invoke(service.url, http, bucket)).toMatchObject({ payload: { statusCode: 200 } })
    const destination = { ...aws, TRANSFERS_DESTINATION_ARN: "arn:aws:sqs:eu-west-1:123456789012:verdicts" }
    expect(await invoke(service.url, queue, destination)).toMatchObject({ payload: { errorType: "OutOfTime" } })
  })

  it("a mirror that hangs ends in time", async () => {
    await using service = await startService()
    await using silence = await startSilence()
    const address = `postgres://reader@127.0.0.1:${silence.port}/transfers`
    expect(await invoke(service.url, audit, { TRANSFERS_AUDIT_MIRROR: address })).toMatchObject({
      isError: true,
      payload: { errorType: "OutOfTime" },
    })
  })
})
