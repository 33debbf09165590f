/** Capabilities kept in an S3 bucket, so that a verdict can be reproduced after they have changed. */
import { describe, expect, it } from "vitest"
import { credentials, Raw, startAws } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { proposal } from "./proposal.ts"
import { capabilitiesText, sendJson, startService } from "./service.ts"

const missing = new Raw(404, "<Error><Code>NoSuchKey</Code></Error>")

/** A bucket with the objects that were put into it. */
const startBucket = async () => {
  const objects = new Map<string, string>()
  const puts: Array<string> = []
  const aws = await startAws(
    new Proxy<Parameters<typeof startAws>[0]>(
      {},
      {
        get: (_, target) => (input: { readonly [field: string]: unknown }) => {
          const [method, path = ""] = String(target).split(" ")
          const object = objects.get(path)
          if (method === "GET") return object === undefined ? missing : new Raw(200, object)
          puts.push(path)
          if (object !== undefined) return new Raw(412, "<Error><Code>PreconditionFailed</Code></Error>")
          objects.set(path, String(input["text"]))
          return new Raw(200, "")
        },
      },
    ),
  )
  const settings = { ...credentials, AWS_ENDPOINT_URL_S3: aws.url, TRANSFERS_CAPABILITIES_BUCKET: "copies" }
  return { ...aws, objects, puts, settings }
}

/** A service whose capabilities can change. */
const startChanging = async () => {
  const state = { text: capabilitiesText, isDown: false }
  const service = await startService((_, response) =>
    state.isDown ? response.writeHead(503).end() : sendJson(response, state.text),
  )
  return { ...service, state }
}

const hashOf = async (verdict: Promise<unknown>): Promise<string> => Object(await verdict).capabilities.hash

describe("with a bucket, the capabilities", () => {
  it("are stored when they change, once, and returned by their hash ever after", async () => {
    await using bucket = await startBucket()
    await using service = await startChanging()
    const lambda = makeLambda(service.url, bucket.settings)
    const first = await hashOf(lambda.invoke(proposal))
    lambda.advance(360_000)
    await lambda.invoke(proposal)
    service.state.text = capabilitiesText.replace('"5.00"', '"6.00"')
    lambda.advance(360_000)
    const second = await hashOf(lambda.invoke(proposal))
    expect(second).not.toBe(first)
    const pathOf = (hash: string) => `/copies/capabilities/${hash.replace("sha256:", "")}.json`
    expect(bucket.puts).toEqual([pathOf(first), pathOf(second)])
    const other = makeLambda(service.url, bucket.settings)
    expect(await other.invoke({ capabilities: first })).toEqual(JSON.parse(capabilitiesText))
    service.state.isDown = true
    const cold = makeLambda(service.url, bucket.settings)
    expect(await cold.invoke({ capabilities: first })).toEqual(JSON.parse(capabilitiesText))
    await expect(cold.invoke({ capabilities: `sha256:${"0".repeat(64)}` })).rejects.toMatchObject({
      name: "ServiceUnavailable",
    })
  })

  it("are found there by another process that stored them first", async () => {
    await using bucket = await startBucket()
    await using service = await startChanging()
    for (let count = 0; count < 2; count += 1) {
      const lambda = makeLambda(service.url, bucket.settings)
      await lambda.invoke(proposal)
      expect(lambda.log.map(({ message }) => message)).toEqual(["succeeded"])
    }
    expect(bucket.objects.size).toBe(1)
  })

  it("are unknown if they are neither in force nor stored, and no other object is read", async () => {
    await using bucket = await startBucket()
    await using service = await startChanging()
    const lambda = makeLambda(service.url, bucket.settings)
    for (const hash of [`sha256:${"0".repeat(64)}`, "sha256:../../secrets"]) {
      await expect(lambda.invoke({ capabilities: hash })).rejects.toMatchObject({ name: "UnknownCapabilities" })
    }
    expect(bucket.requests.filter((request) => request.includes("secrets"))).toEqual([])
  })

  it("are not returned if the object was changed", async () => {
    await using bucket = await startBucket()
    await using service = await startChanging()
    const hash = await hashOf(makeLambda(service.url, bucket.settings).invoke(proposal))
    for (const [path, text] of bucket.objects) bucket.objects.set(path, `${text} `)
    service.state.text = capabilitiesText.replace('"5.00"', '"6.00"')
    await expect(makeLambda(service.url, bucket.settings).invoke({ capabilities: hash })).rejects.toMatchObject({
      name: "CapabilitiesStoreFailed",
      message: expect.stringContaining("the object has the hash sha256:"),
    })
  })
})

it.each([
  ["rejects them", () => new Raw(403, "<Error><Code>AccessDenied</Code></Error>"), "AccessDenied"],
  ["does not respond", undefined, "it took too long"],
])("gives a verdict, and a warning, if the bucket %s", async (_, respond, reason) => {
  await using aws =
    respond === undefined ? await startService(() => undefined) : await startAws(new Proxy({}, { get: () => respond }))
  await using service = await startChanging()
  const settings = { ...credentials, AWS_ENDPOINT_URL_S3: aws.url, TRANSFERS_CAPABILITIES_BUCKET: "copies" }
  const lambda = makeLambda(service.url, settings)
  expect(await lambda.invoke(proposal, 5000)).toMatchObject({ valid: true })
  expect(await lambda.invoke(proposal, 5000)).toMatchObject({ valid: true })
  expect(lambda.log.filter(({ level }) => level === "WARN")).toEqual([
    expect.objectContaining({ message: "capabilities not stored", reason, hash: expect.stringMatching(/^sha256:/) }),
  ])
})
