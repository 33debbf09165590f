/** The template's alarms, evaluated over the log lines and metric lines of real runs of the zip. */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox } from "../local/Sandbox.ts"
import * as TaskRoot from "../local/TaskRoot.ts"
import * as TemplateCheck from "../scripts/TemplateCheck.ts"
import { type Datum, type LogLine, metricsOf, statesOf } from "./alarms.ts"
import { proposalOf } from "./proposal.ts"
import { sendCapabilities, startService } from "./service.ts"

const template = TemplateCheck.parse(readFileSync(new URL("../deploy/template.yaml", import.meta.url), "utf8"))
const proposal = proposalOf("order-1")
const http = (body: string) => ({
  version: "2.0",
  requestContext: { http: { method: "POST" } },
  headers: { "content-type": "application/json" },
  body,
})
const valid = http(JSON.stringify(proposal))

/** What happens in a period of five minutes: events while the service works or fails. */
interface Period {
  readonly isDown?: boolean
  readonly events: ReadonlyArray<unknown>
}

let taskRoot: TaskRoot.TaskRoot
beforeAll(async () => {
  taskRoot = await TaskRoot.unpack()
})
afterAll(() => taskRoot[Symbol.asyncDispose]())

/** Runs the zip, and returns the metrics that its log and Lambda have: an error is counted as Lambda counts it. */
const run = async (periods: ReadonlyArray<Period>, environment: Readonly<Record<string, string>> = {}) => {
  let isDown = false
  await using service = await startService((request, response) =>
    isDown ? void response.writeHead(500).end() : sendCapabilities(request, response),
  )
  const lines: Array<LogLine> = []
  const data: Array<Datum> = []
  let at = 0
  await using sandbox = await openSandbox({
    taskRoot: taskRoot.folder,
    handler: "lambda.handler",
    client: RuntimeClient.aws ?? RuntimeClient.plain,
    timeoutMillis: 60_000,
    onOutput: (text) => {
      for (const line of text.trim().split("\n")) lines.push({ at, entry: JSON.parse(line) })
    },
    environment: {
      TRANSFERS_BASE_URL: service.url,
      TRANSFERS_PARTNER_ID: "partner",
      TRANSFERS_SECRET_KEY: "key",
      TRANSFERS_METRICS_NAMESPACE: "validation",
      ...environment,
    },
  })
  for (const [period, { events, ...state }] of periods.entries()) {
    isDown = state.isDown === true
    at = period * 300 + 10
    for (const event of events) {
      const { isError } = await sandbox.invoke(event)
      data.push({ metric: "Errors", at, value: isError ? 1 : 0 })
    }
  }
  return [...metricsOf(template, lines), ...data]
}

const states = (alarm: string, data: ReadonlyArray<Datum>, periods: number) =>
  statesOf(template, { alarm, data, periods })

describe("the alarms over a real run", () => {
  it("are silent while requests are validated or rejected, and while nothing happens", async () => {
    const good: Period = { events: [valid, proposal, http("[]"), http("{")] }
    const rejected: Period = { events: [{ nonsense: true }, []] }
    const data = await run([good, rejected, { events: [] }, good])
    for (const alarm of ["FailureAlarm", "ErrorAlarm", "StaleAlarm"]) {
      expect([alarm, ...states(alarm, data, 4)]).toEqual([alarm, "OK", "OK", "OK", "OK"])
    }
  })

  it("tell a failure over HTTP from one that Lambda counts, and end with it", async () => {
    const fresh = { TRANSFERS_CAPABILITIES_TTL: "1 millis" }
    const failing = (event: unknown): Period => ({ isDown: true, events: [event] })
    const data = await run(
      [{ events: [valid] }, failing(valid), { events: [] }, failing(proposal), { events: [valid] }],
      fresh,
    )
    expect(states("FailureAlarm", data, 5)).toEqual(["OK", "ALARM", "OK", "ALARM", "OK"])
    // Over HTTP the function returned a response.
    expect(states("ErrorAlarm", data, 5)).toEqual(["OK", "OK", "OK", "ALARM", "OK"])
  })

  it("report capabilities that are stale for three periods, by the metric of a real run", async () => {
    const stale = {
      TRANSFERS_CAPABILITIES_TTL: "1 millis",
      TRANSFERS_CAPABILITIES_POLICY: "stale-if-error",
      TRANSFERS_CAPABILITIES_RETRY_AFTER: "1 hour",
    }
    const periods = [{ events: [valid] }, ...Array.from({ length: 4 }, () => ({ isDown: true, events: [valid] }))]
    const data = await run(periods, stale)
    const ages = data.filter(({ metric }) => metric === "StaleAge")
    expect(ages).toHaveLength(4)
    expect(states("StaleAlarm", data, 5)).toEqual(Array(5).fill("OK"))
    // The same lines, as they are after two hours.
    const later = data.map((datum) => (datum.metric === "StaleAge" ? { ...datum, value: datum.value + 7200 } : datum))
    expect(states("StaleAlarm", later, 5)).toEqual(["OK", "OK", "OK", "ALARM", "ALARM"])
  })
})

describe("the alarms on AWS's own metrics", () => {
  it.each([
    ["ThrottleAlarm", "Throttles", [1, 1, 1, 0], ["OK", "OK", "ALARM", "OK"]],
    ["ThrottleAlarm", "Throttles", [1, undefined, 1, 1], ["OK", "OK", "OK", "OK"]],
    ["DeadLetterAlarm", "ApproximateNumberOfMessagesVisible", [0, 1, undefined], ["OK", "ALARM", "OK"]],
    ["QueueAgeAlarm", "ApproximateAgeOfOldestMessage", [1199, 1200, undefined], ["OK", "ALARM", "OK"]],
  ])("%s over %s", (alarm, metric, values, expected) => {
    const data = values.flatMap((value, period) => (value === undefined ? [] : [{ metric, at: period * 300, value }]))
    expect(states(alarm, data, values.length)).toEqual(expected)
  })

  it.each(["AuditAlarm", "ParallelAuditAlarm", "FileAlarm"])("%s over executions that fail or time out", (alarm) => {
    const both = (failed: number, timedOut: number, period: number) => [
      { metric: "ExecutionsFailed", at: period * 300, value: failed },
      { metric: "ExecutionsTimedOut", at: period * 300, value: timedOut },
    ]
    const data = [...both(0, 0, 0), ...both(1, 0, 1), ...both(0, 1, 2)]
    expect(states(alarm, data, 4)).toEqual(["OK", "ALARM", "ALARM", "OK"])
  })
})
