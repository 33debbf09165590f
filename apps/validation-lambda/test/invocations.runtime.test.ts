/** 300 invocations of the zip, good and hostile, under AWS's runtime client if it is built; and the README names each outcome. */
import { readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox, type Sandbox } from "../local/Sandbox.ts"
import * as TaskRoot from "../local/TaskRoot.ts"
import * as Outcomes from "./invocations/Outcomes.ts"
import { cases, proposal } from "./invocations/ProposalCases.ts"
import { transports } from "./invocations/Transports.ts"
import { startObjects } from "./objects.ts"
import { capabilitiesText, startService } from "./service.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const header = "external_id,country_code,payment_method,source_amount,source_currency_code,destination_currency_code"
const objects = {
  "proposals/good.csv": `${header}\na,US,debit_card,100.00,fiat/USD,ethereum/USDC\nb,US,debit_card,1.00,fiat/USD,ethereum/USDC\n`,
  "proposals/good.ndjson": `${JSON.stringify(proposal("a"))}\n{\n`,
  "proposals/good.txt": "a",
  "proposals/empty.csv": header,
  "proposals/columns.csv": "a,b\n1,2\n",
  "proposals/quote.csv": `${header}\n"a\n`,
}
const client = RuntimeClient.aws ?? RuntimeClient.plain

let taskRoot: TaskRoot.TaskRoot
let fake: Awaited<ReturnType<typeof startFakeServer>>
let store: Awaited<ReturnType<typeof startObjects>>
let sandbox: Sandbox
const open = (url: string, environment: Readonly<Record<string, string>> = {}) =>
  openSandbox({
    taskRoot: taskRoot.folder,
    handler: "lambda.handler",
    client,
    timeoutMillis: 60_000,
    environment: {
      TRANSFERS_BASE_URL: url,
      TRANSFERS_PARTNER_ID: "partner",
      TRANSFERS_SECRET_KEY: "key",
      ...environment,
    },
  })

beforeAll(async () => {
  taskRoot = await TaskRoot.unpack()
  fake = await startFakeServer({ partners: ["partner:key"], capabilities: JSON.parse(capabilitiesText), data: [] })
  store = await startObjects(objects)
  sandbox = await open(fake.url, store.environment)
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
  await taskRoot[Symbol.asyncDispose]()
})

let count = 0
const invoke = (event: unknown, by = sandbox) => {
  count += 1
  return by.invoke(event)
}

describe(`the zip under the runtime client ${client.name}`, () => {
  it.each(transports)("gives each proposal the codes of the contract, through $name", async ({ wrap, unwrap }) => {
    for (const [name, one, codes] of cases) {
      const { isError, payload } = await invoke(wrap({ transfers: [one] }))
      const { status = 200, body } = unwrap(payload)
      const { valid, results } = Object(body)
      const found = results[0].violations.map(({ code }: { readonly code: string }) => code)
      expect([name, isError, status, valid, ...found.toSorted()]).toEqual([
        name,
        false,
        200,
        codes.length === 0,
        ...codes.toSorted(),
      ])
    }
  })

  const { overHttp, direct, messages, audits, files } = Outcomes
  it.each([...overHttp, ...direct, ...messages, ...audits, ...files])("%s", async (_, event, expected) => {
    const { isError, payload } = await invoke(event)
    const { statusCode, body, batchItemFailures, errorType } = Object(payload)
    expect(isError).toBe(expected.error !== undefined)
    if (expected.error !== undefined) {
      expect(errorType).toBe(expected.error)
      expect(readme).toContain(`\`${expected.error}\``)
    }
    if (expected.status !== undefined) expect(statusCode).toBe(expected.status)
    if (expected.code !== undefined) {
      expect(JSON.parse(body)).toMatchObject({ errors: [{ code: expected.code, message: expect.any(String) }] })
      expect(readme).toMatch(new RegExp(`\\| ${expected.status} \`${expected.code}\``))
    }
    if (expected.failed !== undefined) {
      expect(batchItemFailures).toEqual(expected.failed.map((itemIdentifier) => ({ itemIdentifier })))
    }
    if (expected.result !== undefined) expect(payload).toMatchObject(expected.result)
  })

  it.each(Outcomes.services)("a service that responds with %s", async (status, headers, overHttp, error) => {
    await using service = await startService((_, response) => void response.writeHead(status, headers).end())
    await using own = await open(service.url)
    const [, http] = transports
    const response = Object((await invoke(http?.wrap(proposal()), own)).payload)
    expect(response.statusCode).toBe(overHttp)
    expect(response.headers["retry-after"]).toBe(status === 429 ? "60" : undefined)
    expect((await invoke(proposal(), own)).payload).toMatchObject({ errorType: error })
    // A message goes back with its batch, and none is lost.
    const queue = { Records: [{ messageId: "a", eventSource: "aws:sqs", body: JSON.stringify(proposal()) }] }
    expect(await invoke(queue, own)).toMatchObject({ isError: true, payload: { errorType: error } })
    // What asks nothing of the service is answered.
    expect((await invoke(http?.wrap([]), own)).payload).toMatchObject({ statusCode: 400 })
  })

  it("was invoked at least 300 times by one process, which did not end", async () => {
    expect(count).toBeGreaterThanOrEqual(300)
    const { payload, initMillis } = await invoke(proposal())
    expect(payload).toMatchObject({ valid: true })
    expect(initMillis).toBeUndefined()
  })
})

it("the README names every failure, and the status and code of each", () => {
  const failures = readFileSync(new URL("../src/Failure.ts", import.meta.url), "utf8")
  const tags = [...failures.matchAll(/case "(\w+)":/g)].map(([, tag = ""]) => tag)
  expect(tags.length).toBeGreaterThan(25)
  for (const tag of tags) expect(readme).toContain(`\`${tag}\``)
  for (const [, status, code] of failures.matchAll(/status: (\d+), code: "(\w+)"/g)) {
    expect(readme).toContain(`| ${status} \`${code}\``)
  }
})
