/** The memory of a function that validates a file larger than its memory. */
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox } from "../local/Sandbox.ts"
import * as TaskRoot from "../local/TaskRoot.ts"
import { type Send, startObjects } from "./objects.ts"
import { proposalOf } from "./proposal.ts"
import { startService } from "./service.ts"

const rows = 150_000

/** 4 kB each: 600 MB. */
const rowOf = (index: number) => `${JSON.stringify({ ...proposalOf(`order-${index}`), note: "x".repeat(4000) })}\n`

const sendRows: Send = async (response) => {
  response.writeHead(200)
  for (let index = 0; index < rows; index += 1) {
    if (!response.write(rowOf(index))) await once(response, "drain")
  }
  response.end()
}

/** The most memory that a process had, in megabytes. */
const peakOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8")
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000
}

it.runIf(process.platform === "linux")("a file of 600 MB is validated in the 512 MB of the template", async () => {
  await using taskRoot = await TaskRoot.unpack()
  await using service = await startService()
  await using objects = await startObjects({ "proposals/large.ndjson": sendRows })
  await using sandbox = await openSandbox({
    taskRoot: taskRoot.folder,
    handler: "lambda.handler",
    client: RuntimeClient.plain,
    environment: {
      TRANSFERS_BASE_URL: service.url,
      TRANSFERS_PARTNER_ID: "partner",
      TRANSFERS_SECRET_KEY: "key",
      ...objects.environment,
    },
    timeoutMillis: 250_000,
  })
  const { payload, isError } = await sandbox.invoke({ file: { bucket: "proposals", key: "large.ndjson" } })
  expect([isError, payload]).toMatchObject([false, { done: true, tally: { rows, invalid: 0 } }])
  expect(await peakOf(sandbox.pid() ?? 0)).toBeLessThan(512)
})
