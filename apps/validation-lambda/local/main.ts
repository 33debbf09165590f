/**
 * `pnpm lambda:local`: the deployed zip, unpacked and run as on AWS, behind a Function URL on this machine. With
 * `--event FILE` it handles one event of any kind instead, and exits.
 */
import { openFunctionUrl } from "./FunctionUrl.ts"
import * as LocalOptions from "./LocalOptions.ts"
import { openSandbox } from "./Sandbox.ts"
import * as TaskRoot from "./TaskRoot.ts"

const main = async (): Promise<number> => {
  const options = await LocalOptions.read(process.argv.slice(2))
  if (options === "help") {
    process.stdout.write(LocalOptions.help)
    return 0
  }
  await using taskRoot = await TaskRoot.unpack()
  await using sandbox = await openSandbox({
    taskRoot: taskRoot.folder,
    handler: "lambda.handler",
    client: options.client,
    timeoutMillis: options.timeoutMillis,
    environment: settings(),
    onOutput: (text) => process.stderr.write(text),
  })
  if (options.event !== undefined) {
    const { payload, isError } = await sandbox.invoke(options.event.value)
    process.stdout.write(`${JSON.stringify(payload, null, 2)}\n`)
    return isError ? 1 : 0
  }
  await using front = await openFunctionUrl(sandbox, options.port)
  process.stdout.write(`validation-lambda (${options.client.name}) listens on ${front.url}\n`)
  await interrupted()
  return 0
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

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof LocalOptions.UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  return 2
})
