/**
 * `pnpm lambda:local`: the zip that is deployed, unpacked and run as on AWS, behind a Function URL on this machine.
 * With `--event FILE` it answers one event of any kind instead, and ends.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { unzipSync } from "fflate"
import { bundle, zip } from "../scripts/bundle.ts"
import { openFunctionUrl } from "./FunctionUrl.ts"
import * as RuntimeClient from "./RuntimeClient.ts"
import { openSandbox } from "./Sandbox.ts"

const help = `Runs the validation lambda on this machine.

  pnpm lambda:local [--port 9000] [--timeout 25] [--client aws|plain]
  pnpm lambda:local --event FILE

The function's settings are the TRANSFERS_* and AWS_* variables of this process.
aws is AWS's own runtime client, built by pnpm lambda:runtime; plain needs no build.
`

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9000" },
    timeout: { type: "string", default: "25" },
    client: { type: "string", default: RuntimeClient.aws === undefined ? "plain" : "aws" },
    event: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
})

const main = async (): Promise<number> => {
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const client =
    values.client === "aws" ? RuntimeClient.aws : values.client === "plain" ? RuntimeClient.plain : undefined
  if (client === undefined) {
    process.stderr.write(`There is no runtime client ${values.client} here. Build AWS's with pnpm lambda:runtime.\n`)
    return 2
  }
  const taskRoot = await mkdtemp(join(tmpdir(), "lambda-local-"))
  try {
    const files = unzipSync(zip("lambda.mjs", (await bundle("src/lambda.ts")).code))
    for (const [name, content] of Object.entries(files)) await writeFile(join(taskRoot, name), content)
    await using sandbox = await openSandbox({
      taskRoot,
      handler: "lambda.handler",
      client,
      timeoutMillis: Number(values.timeout) * 1000,
      environment: settings(),
      onOutput: (text) => process.stderr.write(text),
    })
    if (values.event !== undefined) {
      const { payload, isError } = await sandbox.invoke(JSON.parse(await readFile(values.event, "utf8")))
      process.stdout.write(`${JSON.stringify(payload, null, 2)}\n`)
      return isError ? 1 : 0
    }
    await using front = await openFunctionUrl(sandbox, Number(values.port))
    process.stdout.write(`validation-lambda (${client.name}) listens on ${front.url}\n`)
    await interrupted()
    return 0
  } finally {
    await rm(taskRoot, { recursive: true })
  }
}

const settings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(TRANSFERS|AWS)_/.test(name) ? [[name, value]] : [],
    ),
  )

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve())
    process.once("SIGTERM", () => resolve())
  })

process.exitCode = await main()
