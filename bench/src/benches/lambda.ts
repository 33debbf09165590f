import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { build } from "esbuild"
import { zipSync } from "fflate"
import * as RuntimeClient from "../../../apps/validation-lambda/local/RuntimeClient.ts"
import { openSandbox } from "../../../apps/validation-lambda/local/Sandbox.ts"
import type { Bench, Contestant } from "../Bench.ts"
import * as ServerProcess from "../ServerProcess.ts"
import * as TlsFront from "../TlsFront.ts"

const root = join(import.meta.dirname, "../../..")
const peers = join(import.meta.dirname, "../peers")
const warmCalls = 3000

/** Writes a handler's files into a folder, minified as they would be deployed. */
type Bundle = (folder: string) => Promise<void>

const bundleOf =
  (name: string): Bundle =>
  async (folder) => {
    await build({
      entryPoints: [join(peers, name)],
      bundle: true,
      platform: "node",
      target: "node22",
      format: "esm",
      minify: true,
      legalComments: "none",
      outfile: join(folder, "lambda.mjs"),
      logLevel: "error",
    })
  }

const proposal = {
  country_code: "DE",
  payment_method: "sepa",
  source: { amount: "100.00", currency_code: "fiat/EUR" },
  destination_currency_code: "ethereum/ETH",
}

/** Five proposals, of which three are not valid, posted through a Function URL. */
const event = {
  version: "2.0",
  routeKey: "$default",
  rawPath: "/validate",
  rawQueryString: "",
  headers: { "content-type": "application/json", host: "example.lambda-url.eu-west-1.on.aws" },
  requestContext: {
    accountId: "anonymous",
    apiId: "bench",
    domainName: "example.lambda-url.eu-west-1.on.aws",
    http: { method: "POST", path: "/validate", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "bench" },
    requestId: "bench",
    stage: "$default",
    time: "01/Sep/2024:00:00:00 +0000",
    timeEpoch: 1_725_148_800_000,
  },
  isBase64Encoded: false,
  body: JSON.stringify({
    transfers: [
      proposal,
      { ...proposal, country_code: "AQ" },
      { ...proposal, source: { amount: "0.50", currency_code: "fiat/EUR" } },
      { ...proposal, source: { amount: "9999.99", currency_code: "fiat/EUR" }, payment_method: "barter" },
      { ...proposal, destination_currency_code: "polygon/USDC" },
    ],
  }),
}

/** A truncated body: rejected without a request to the service. */
const rejectedEvent = { ...event, body: '{"transfers":[' }

/** What API Gateway gets from a handler. */
interface Response {
  readonly statusCode: number
  readonly body: string
}

interface Verdict {
  readonly valid: boolean
  readonly violations: ReadonlyArray<{ readonly code: string }>
}

/** Bundles a handler, zips it, and runs it in processes of its own against the fake service. */
const invoke = async (bundle: Bundle) => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-bench-"))
  try {
    await bundle(folder)
    const files = readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))] as const)
    const size = zipSync(Object.fromEntries(files), { level: 9 }).length / 1000
    await using service = await ServerProcess.startJson(fake, ["--port", "0", "--json"])
    await using front = await TlsFront.start(service.url)
    writeFileSync(join(folder, "front.pem"), front.certificate)
    const environment = {
      NODE_EXTRA_CA_CERTS: join(folder, "front.pem"),
      TRANSFERS_BASE_URL: front.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    }
    return {
      size,
      verdict: await coldStart(folder, environment, event),
      rejection: await coldStart(folder, environment, rejectedEvent),
      warm: await warmCall(folder, environment),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Environment = Readonly<Record<string, string>>

/** A process from its start to the response of its first call, as Lambda's Runtime API sees it. */
const coldStart = async (folder: string, environment: Environment, posted: object) => {
  await using sandbox = await openSandbox({
    taskRoot: folder,
    handler: "lambda.handler",
    client: RuntimeClient.plain,
    environment,
    timeoutMillis: 10_000,
  })
  const { payload, isError, initMillis: init = Number.NaN, durationMillis: first } = await sandbox.invoke(posted)
  if (isError) throw new Error(JSON.stringify(payload))
  const response: Response = { statusCode: 0, body: "", ...Object(payload) }
  return { init, first, response }
}

/** The mean of many calls within one process, in microseconds. */
const warmCall = async (folder: string, environment: Environment): Promise<number> => {
  writeFileSync(join(folder, "event.json"), JSON.stringify(event))
  const args = [join(peers, "lambda-calls.mjs"), join(folder, "lambda.mjs"), join(folder, "event.json")]
  const child = spawn(process.execPath, [...args, String(warmCalls)], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  })
  return Number(await text(child.stderr))
}

const fake = join(root, "apps/fake-server/dist/bin.js")

const contestant = (
  name: string,
  packages: ReadonlyArray<string>,
  bundle: Bundle,
  options: { readonly isOurs?: boolean; readonly baselineOnly?: string; readonly rejects?: boolean } = {},
): Contestant => ({
  name,
  packages,
  isOurs: options.isOurs ?? false,
  ...(options.baselineOnly === undefined ? {} : { baselineOnly: options.baselineOnly }),
  load: async () => ({
    answer: async () => {
      const { verdict, rejection } = await invoke(bundle)
      const { results }: { readonly results: ReadonlyArray<Verdict> } = JSON.parse(verdict.response.body)
      const verdicts = results.map(({ valid, violations }) => [valid, violations.map(({ code }) => code).sort()])
      return JSON.stringify([verdict.response.statusCode, verdicts, rejection.response.statusCode])
    },
    measure: async () => {
      const { size, verdict, rejection, warm } = await invoke(bundle)
      const { init, first } = verdict
      const rejected = options.rejects === false ? {} : { rejected: rejection.init + rejection.first }
      return { size, init, first, ready: init + first, warm, ...rejected }
    },
  }),
})

export const bench: Bench = {
  name: "lambda",
  title: "Validate five proposals on Lambda",
  work:
    "A POST of five proposals through a Function URL: the zip, the time until the process asks Lambda's Runtime API for its first event, the " +
    "first call, which requests the capabilities of the fake service over TLS, and the first call of another process, whose body is truncated, so that " +
    `no request is sent. And the mean of ${warmCalls.toLocaleString("en")} calls within a process. The answer is the verdict on each proposal with its codes, and the status of the rejection.`,
  rounds: 25,
  metrics: [
    { key: "ready", title: "From the start of the process to the first verdict", unit: "ms" },
    { key: "rejected", title: "From the start of the process to a first response without a request", unit: "ms" },
    { key: "init", title: "Of the first, until the process asks for its first event", unit: "ms" },
    { key: "first", title: "Of the first, the call", unit: "ms" },
    { key: "warm", title: "A warm call", unit: "µs" },
    { key: "size", title: "Zip", unit: "kB" },
  ],
  notes: [
    "Node on this machine behind a Runtime API endpoint of ours, not AWS: the order carries over, the figures do not.",
    "A first verdict needs the service's capabilities, so its floor is the empty handler that requests them by node:https and does nothing else: most of that is Node's own TLS. The by-hand handlers load Node's fetch as well, and ours does not.",
    "Ours above the floors: V8 reads 125 kB before the handler is loaded, two thirds of them Effect's, and the layers build the services; in the first call our code and Effect's run for the first time.",
    "Ours handles seven kinds of events, writes a structured log line for each call, and caches the capabilities with a policy for when the service fails. The others do only what is measured.",
  ],
  contestants: [
    contestant(
      "TransferKit",
      ["@transferkit/domain"],
      async (folder) => cpSync(join(root, "apps/validation-lambda/dist/task"), folder, { recursive: true }),
      { isOurs: true },
    ),
    contestant("empty handler", [], bundleOf("lambda-empty.mjs"), { baselineOnly: "it does nothing: the floor" }),
    contestant("empty handler that requests the capabilities", [], bundleOf("lambda-requesting.mjs"), {
      baselineOnly: "it validates nothing: the floor of a first verdict",
      rejects: false,
    }),
    contestant("middy and zod, by hand", ["@middy/core", "zod"], bundleOf("lambda-middy.mjs")),
    contestant("Hono and zod, by hand", ["hono", "zod"], bundleOf("lambda-hono.mjs")),
  ],
}
