import { spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { zipSync } from "fflate"
import type { Bench, Contestant } from "../Bench.ts"
import * as ServerProcess from "../ServerProcess.ts"

const root = join(import.meta.dirname, "../../..")
const peers = join(import.meta.dirname, "../peers")
const warmCalls = 3000

/** Writes a handler's bundle, one minified file as it would be deployed. */
type Bundle = (file: string) => Promise<void>

const bundleOf =
  (name: string): Bundle =>
  async (file) => {
    await build({
      entryPoints: [join(peers, name)],
      bundle: true,
      platform: "node",
      target: "node22",
      format: "esm",
      minify: true,
      legalComments: "none",
      outfile: file,
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

interface Report {
  readonly init: number
  readonly first: number
  readonly warm: number
  readonly answer: { readonly statusCode: number; readonly body: string }
}

interface Verdict {
  readonly valid: boolean
  readonly violations: ReadonlyArray<{ readonly code: string }>
}

/** Bundles a handler, zips it, and has a process of its own run it against the fake service. */
const invoke = async (bundle: Bundle): Promise<Report & { readonly size: number }> => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-bench-"))
  try {
    const file = join(folder, "lambda.mjs")
    await bundle(file)
    writeFileSync(join(folder, "event.json"), JSON.stringify(event))
    const size = zipSync({ "lambda.mjs": [readFileSync(file), { level: 9 }] }).length / 1000
    await using service = await ServerProcess.startJson(join(root, "apps/fake-server/dist/bin.js"), [
      "--port",
      "0",
      "--json",
    ])
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(peers, "lambda-runtime.mjs"), file, join(folder, "event.json"), String(warmCalls)],
      {
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          PATH: process.env["PATH"],
          TRANSFERS_BASE_URL: service.url,
          TRANSFERS_PARTNER_ID: "demo",
          TRANSFERS_SECRET_KEY: "demo-secret",
        },
      },
    )
    if (status !== 0) throw new Error(stderr)
    return { ...(JSON.parse(stderr) as Report), size }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const contestant = (
  name: string,
  packages: ReadonlyArray<string>,
  bundle: Bundle,
  options: { readonly isOurs?: boolean; readonly unable?: string } = {},
): Contestant => ({
  name,
  packages,
  isOurs: options.isOurs ?? false,
  ...(options.unable === undefined ? {} : { unable: options.unable }),
  load: async () => ({
    answer: async () => {
      const { answer } = await invoke(bundle)
      const { results }: { readonly results: ReadonlyArray<Verdict> } = JSON.parse(answer.body)
      const verdicts = results.map(({ valid, violations }) => [valid, violations.map(({ code }) => code).sort()])
      return JSON.stringify([answer.statusCode, verdicts])
    },
    measure: async () => {
      const { size, init, first, warm } = await invoke(bundle)
      return { size, init, first, ready: init + first, warm }
    },
  }),
})

export const bench: Bench = {
  name: "lambda",
  title: "Validate five proposals on Lambda",
  work:
    "A POST of five proposals through a Function URL: the zip, the time until the handler is loaded, the first call, which asks the fake " +
    `service for its capabilities, and the mean of ${warmCalls.toLocaleString("en")} calls after it. The answer is the verdict on each proposal with its codes.`,
  rounds: 7,
  metrics: [
    { key: "ready", title: "From the start of the process to the first answer", unit: "ms" },
    { key: "init", title: "Of that, until the handler is loaded", unit: "ms" },
    { key: "first", title: "Of that, the first call", unit: "ms" },
    { key: "warm", title: "A warm call", unit: "µs" },
    { key: "size", title: "Zip", unit: "kB" },
  ],
  notes: [
    "Node on this machine, not AWS: the order carries over, the figures do not.",
    "A first call asks the service, so that its floor is the empty handler that asks, by node:http and nothing else. The others load Node's fetch for it, and ours does not.",
    "Of ours above the floors: 110 kB to compile and the services to make before the handler is loaded; on the first call node:crypto for the hash of the capabilities, which a service over TLS would have loaded already, and Effect's code as it runs for the first time.",
    "Ours answers seven kinds of events, writes a structured log line for each call, caches the capabilities with a policy for when the service fails, and asks again when they are old. The others do only what is measured.",
  ],
  contestants: [
    contestant(
      "TransferKit",
      ["@transferkit/domain"],
      async (file) => copyFileSync(join(root, "apps/validation-lambda/dist/lambda.mjs"), file),
      { isOurs: true },
    ),
    contestant("empty handler", [], bundleOf("lambda-empty.mjs"), { unable: "it does nothing: the floor" }),
    contestant("empty handler that asks for the capabilities", [], bundleOf("lambda-asking.mjs"), {
      unable: "it judges nothing: the floor of a first call",
    }),
    contestant("middy and zod, by hand", ["@middy/core", "zod"], bundleOf("lambda-middy.mjs")),
    contestant("Hono and zod, by hand", ["hono", "zod"], bundleOf("lambda-hono.mjs")),
  ],
}
