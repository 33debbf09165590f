/** Responses of AWS, or of whatever stands in its place, that have no end: they are read to a bound. */
import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import * as AwsRequest from "../src/aws/AwsRequest.ts"
import { credentials } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { startObjects } from "./objects.ts"
import { startService } from "./service.ts"

/** Sends the same part until the other side closes the connection, and counts its bytes. */
const endless = (sent: { bytes: number }) => {
  const part = `<Error><Code>SlowDown</Code>${"x".repeat(65_536)}`
  return async (response: ServerResponse) => {
    while (!response.destroyed) {
      sent.bytes += part.length
      if (!response.write(part)) {
        await new Promise((resolve) => void response.once("drain", resolve).once("close", resolve))
      }
    }
  }
}

it("reads the name of an error that S3 repeats without end, and no more", async () => {
  const sent = { bytes: 0 }
  await using objects = await startObjects({ "proposals/a.csv": (response) => endless(sent)(response.writeHead(403)) })
  await using service = await startService()
  const file = { file: { bucket: "proposals", key: "a.csv" } }
  await expect(makeLambda(service.url, objects.environment).invoke(file)).rejects.toMatchObject({
    name: "StoreFailed",
    message: expect.stringContaining("SlowDown"),
  })
  // With what the sockets of both sides hold.
  expect(sent.bytes).toBeLessThan(32 * 1024 * 1024)
})

it("reads no response of more than 16 MiB", async () => {
  const sent = { bytes: 0 }
  await using service = await startService((_, response) => void endless(sent)(response.writeHead(200)))
  const access = {
    region: credentials.AWS_REGION,
    accessKeyId: "id",
    secretAccessKey: Redacted.make("secret"),
    sessionToken: undefined,
    endpoint: service.url,
  }
  const call = AwsRequest.call({ service: "ssm", target: "AmazonSSM.GetParameter", input: {} }, access)
  expect(await Effect.runPromise(Effect.flip(call))).toMatchObject({ reason: "its response is longer than 16 MiB" })
  expect(sent.bytes).toBeLessThan(64 * 1024 * 1024)
})
