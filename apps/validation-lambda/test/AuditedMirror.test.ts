import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as MirrorStart from "@transferkit/mirror/MirrorStart"
import * as MirrorSync from "@transferkit/mirror/MirrorSync"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TaskRoot from "../local/TaskRoot.ts"
// Loaded before the time of an invocation runs.
import "../src/audit/MirrorReader.ts"
import "../src/audit/ScheduledAudit.ts"
import { credentials, startAws } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { capabilitiesText, forwardTo, sendJson, startService } from "./service.ts"

/** One a minute from 10:00 to 12:59; every tenth is complete without a network transaction. */
const transfers = Array.from({ length: 180 }, (_, index) => ({
  id: `tr_${index}`,
  kind: "cash_in",
  status: "complete",
  ...(index % 10 === 0 ? {} : { network_transaction_id: `0x${index}` }),
  created_at: `2024-09-01T${10 + Math.floor(index / 60)}:${String(index % 60).padStart(2, "0")}:00Z`,
}))

const event = { audit: { since: "2024-09-01T11:00:00Z", until: "2024-09-01T12:00:00Z" } }

let fake: Awaited<ReturnType<typeof startFakeServer>>
let folder: string

const fileOf = (name: string) => join(folder, `${name}.db`)

/** Syncs a new mirror, after a start in the middle of the history if there is one. */
const sync = (name: string, from?: string) => {
  const options = { baseUrl: fake.url, partnerId: "partner", secretKey: Redacted.make("key") }
  const service = TransferPager.layer.pipe(
    Layer.provideMerge(HttpTransferApi.layer(options)),
    Layer.provide(NodeTransport.layer),
  )
  const start = Effect.suspend(() => {
    if (from === undefined) return Effect.void
    const at = Timestamp.parseUnsafe(from)
    return MirrorStart.begin({ partner_id: "partner", from: at, watermark: at, known: [] })
  })
  return Effect.andThen(start, MirrorSync.sync({ partner_id: "partner" })).pipe(
    Effect.provide(Layer.merge(service, TransferMirror.layer(`sqlite:${fileOf(name)}`))),
    Effect.runPromise,
  )
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "audited-mirror-"))
  const capabilities = JSON.parse(capabilitiesText)
  fake = await startFakeServer({ partners: ["partner:key"], data: transfers, capabilities })
  await sync("whole")
})
afterAll(async () => {
  await fake[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

describe("an audit of a mirror", () => {
  it("has the result of an audit of the service, and requests only the capabilities of it", async () => {
    await using service = await startService(forwardTo(fake.url))
    const lambda = makeLambda(service.url, { TRANSFERS_AUDIT_MIRROR: `sqlite:${fileOf("whole")}` })
    const result = await lambda.invoke(event)
    expect(result).toMatchObject({ done: true, tally: { audited: 60, with_findings: 6 } })
    expect(result).toEqual(await makeLambda(fake.url).invoke(event))
    expect(service.requests).toEqual(["GET /v1/capabilities"])
  })

  it("works in the zip that is deployed", async () => {
    await using taskRoot = await TaskRoot.unpack()
    const module = JSON.stringify(join(taskRoot.folder, "lambda.mjs"))
    const context = "{ awsRequestId: '1', getRemainingTimeInMillis: () => 20000 }"
    const code = `import(${module}).then(({ handler }) => handler(${JSON.stringify(event)}, ${context}))
      .then((result) => process.stderr.write(JSON.stringify(result)))`
    const env = {
      TRANSFERS_BASE_URL: fake.url,
      TRANSFERS_PARTNER_ID: "partner",
      TRANSFERS_SECRET_KEY: "key",
      TRANSFERS_AUDIT_MIRROR: `sqlite:${fileOf("whole")}`,
    }
    const { stderr } = await promisify(execFile)(process.execPath, ["-e", code], { env })
    expect(JSON.parse(stderr)).toEqual(await makeLambda(fake.url).invoke(event))
  })

  it.each([
    ["Secrets Manager, as a text", "SECRET_ID", (url: string) => ({ SecretString: url })],
    ["Secrets Manager, as JSON", "SECRET_ID", (url: string) => ({ SecretString: JSON.stringify({ url }) })],
    ["Parameter Store", "PARAMETER", (url: string) => ({ Parameter: { Value: url } })],
  ])("takes the address from %s", async (_, source, output) => {
    const give = () => output(`sqlite:${fileOf("whole")}`)
    await using aws = await startAws({ "secretsmanager.GetSecretValue": give, "AmazonSSM.GetParameter": give })
    const variables = { ...credentials, AWS_ENDPOINT_URL: aws.url, [`TRANSFERS_AUDIT_MIRROR_${source}`]: "mirror" }
    expect(await makeLambda(fake.url, variables).invoke(event)).toMatchObject({ tally: { audited: 60 } })
  })

  it("fails with MirrorIncomplete if the last sync does not cover the window, rather than miss transfers", async () => {
    await sync("late", "2024-09-01T11:30:00Z")
    const [whole, late] = [`sqlite:${fileOf("whole")}`, `sqlite:${fileOf("late")}`]
    const audit = (TRANSFERS_AUDIT_MIRROR: string, since: string, until: string, partner = "partner") =>
      makeLambda(fake.url, { TRANSFERS_AUDIT_MIRROR, TRANSFERS_PARTNER_ID: partner }).invoke({
        audit: { since, until },
      })
    await expect(audit(late, "2024-09-01T11:30:00Z", "2024-09-01T12:00:00Z")).resolves.toMatchObject({
      tally: { audited: 30 },
    })
    await expect(audit(late, "2024-09-01T11:29:59Z", "2024-09-01T12:00:00Z")).rejects.toMatchObject({
      name: "MirrorIncomplete",
      message: expect.stringMatching(
        /^The mirror lacks transfers of the partner partner created gte:2024-09-01T11:29:59Z lt:2024-09-01T11:30:00Z, and/,
      ),
    })
    await expect(audit(whole, "2024-09-01T11:00:00Z", "2999-01-01T00:00:00Z")).rejects.toMatchObject({
      name: "MirrorIncomplete",
    })
  })

  it("answers of a first load that was killed for what it has read, and fails with MirrorIncomplete for the rest", async () => {
    await sync("loading")
    const [gte, lt] = ["2024-09-01T11:00:00Z", "2024-09-01T12:00:00Z"]
    const checkpoint = { version: 2, query: "CreatedAt(everything)", transfers: 120, remaining: [{ gte, lt }] }
    const position = { started_at: new Date().toISOString(), until: "2099-01-01T00:00:00Z", checkpoint }
    const database = new DatabaseSync(fileOf("loading"))
    database.exec("DELETE FROM sync_runs; DELETE FROM sync_state WHERE name NOT IN ('base_url', 'capabilities')")
    const insert = database.prepare("INSERT INTO sync_state (partner_id, name, value) VALUES (?, 'backfill', ?)")
    insert.run("partner", JSON.stringify(position))
    database.exec(`DELETE FROM mirrored_transfers WHERE created_at >= '${gte}' AND created_at < '${lt}'`)
    database.close()
    const audit = (since: string, until: string) =>
      makeLambda(fake.url, { TRANSFERS_AUDIT_MIRROR: `sqlite:${fileOf("loading")}` }).invoke({
        audit: { since, until },
      })
    await expect(audit("2024-09-01T10:00:00Z", gte)).resolves.toMatchObject({ tally: { audited: 60 } })
    await expect(audit("2024-09-01T10:00:00Z", lt)).rejects.toMatchObject({
      name: "MirrorIncomplete",
      message: expect.stringContaining(`created gte:${gte} lt:${lt}, and`),
    })
  })

  it("fails with MirrorIncomplete for a partner that was never synced", async () => {
    await using service = await startService((_, response) => sendJson(response, capabilitiesText))
    const variables = { TRANSFERS_AUDIT_MIRROR: `sqlite:${fileOf("whole")}`, TRANSFERS_PARTNER_ID: "another" }
    await expect(makeLambda(service.url, variables).invoke(event)).rejects.toMatchObject({
      name: "MirrorIncomplete",
      message: expect.stringContaining("lacks transfers of the partner another"),
    })
  })

  it("fails with MirrorError if there is no mirror, and makes none", async () => {
    const lambda = makeLambda(fake.url, { TRANSFERS_AUDIT_MIRROR: `sqlite:${fileOf("none")}` })
    await expect(lambda.invoke(event)).rejects.toMatchObject({
      name: "MirrorError",
      message: expect.stringContaining("there is no such file"),
    })
    expect(existsSync(fileOf("none"))).toBe(false)
  })

  it.each([
    ["that does not respond", "postgres://audit:hunter2@127.0.0.1:1/transfers"],
    ["that is no URL", "postgres://audit:hunter2@[/transfers"],
    ["of another kind", "mysql://audit:hunter2@127.0.0.1/transfers"],
  ])("shows no password of an address %s", async (_, url) => {
    await using aws = await startAws({ "secretsmanager.GetSecretValue": () => ({ SecretString: url }) })
    const variables = { ...credentials, AWS_ENDPOINT_URL: aws.url, TRANSFERS_AUDIT_MIRROR_SECRET_ID: "mirror" }
    const lambda = makeLambda(fake.url, variables)
    const error = await lambda.invoke(event).then(String, (failure: Error) => `${failure.stack} ${failure}`)
    expect(error).toMatch(/MirrorError/)
    expect(error + JSON.stringify(lambda.log)).not.toContain("hunter2")
  })

  it("fails with MirrorError if the address cannot be read", async () => {
    await using aws = await startAws({})
    const variables = { ...credentials, AWS_ENDPOINT_URL: aws.url, TRANSFERS_AUDIT_MIRROR_SECRET_ID: "mirror" }
    await expect(makeLambda(fake.url, variables).invoke(event)).rejects.toMatchObject({
      name: "MirrorError",
      message: "the mirror to audit: its address cannot be read: UnknownOperationException.",
    })
  })

  it("is rejected at the start with two addresses or one of another kind, which is not quoted", () => {
    const start = (variables: Readonly<Record<string, string>>) => () => makeLambda(fake.url, variables)
    const TRANSFERS_AUDIT_MIRROR = "mysql://audit:hunter2@127.0.0.1/transfers"
    expect(start({ TRANSFERS_AUDIT_MIRROR })).toThrow(
      /^The function cannot start with these settings: TRANSFERS_AUDIT_MIRROR is neither sqlite:FILE nor postgres:\/\/USER@HOST\/DATABASE\.$/,
    )
    expect(start({ TRANSFERS_AUDIT_MIRROR, TRANSFERS_AUDIT_MIRROR_PARAMETER: "mirror" })).toThrow(
      /set at most one of TRANSFERS_AUDIT_MIRROR_SECRET_ID, TRANSFERS_AUDIT_MIRROR_PARAMETER, TRANSFERS_AUDIT_MIRROR\./,
    )
  })
})
