/** The command line of `pnpm lambda:local`. */
import { readFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Result from "effect/Result"
import * as RuntimeClient from "./RuntimeClient.ts"

/** Its options. */
export interface LocalOptions {
  readonly port: number
  readonly timeoutMillis: number
  readonly client: RuntimeClient.RuntimeClient
  /** The event to handle, instead of serving a URL. */
  readonly event?: { readonly value: unknown }
}

/** The command line is wrong. The message says how. */
export class UsageError extends Error {}

export const help = `Runs the validation lambda on this machine.

  pnpm lambda:local [--port 9000] [--timeout 25] [--client aws|plain]
  pnpm lambda:local --event FILE

The function's settings are the TRANSFERS_* and AWS_* variables of this process.
The client aws is AWS's own, built by pnpm lambda:runtime; plain needs no build.
`

/** Reads the arguments and the event's file. Rejects with a {@link UsageError}. */
export const read = async (args: ReadonlyArray<string>): Promise<LocalOptions | "help"> => {
  const { port, timeout, client, event, help: isHelp } = parse(args)
  if (isHelp) return "help"
  return {
    port: numberBetween(port, { name: "--port", from: 0, to: 65_535 }),
    timeoutMillis: numberBetween(timeout, { name: "--timeout", from: 1, to: 900 }) * 1000,
    client: clientNamed(client),
    ...(event === undefined ? {} : { event: { value: await readJson(event) } }),
  }
}

const parse = (args: ReadonlyArray<string>) => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: "9000" },
        timeout: { type: "string", default: "25" },
        client: { type: "string", default: RuntimeClient.aws === undefined ? "plain" : "aws" },
        event: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    })
    return values
  } catch (error) {
    throw new UsageError(`${reasonOf(error)} See pnpm lambda:local --help.`)
  }
}

const numberBetween = (
  text: string,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= from && number <= to) return number
  throw new UsageError(`${name} is ${JSON.stringify(text)}, and must be a whole number from ${from} to ${to}.`)
}

const clientNamed = (name: string): RuntimeClient.RuntimeClient => {
  if (name === "plain") return RuntimeClient.plain
  if (name !== "aws")
    throw new UsageError(`The runtime client ${JSON.stringify(name)} does not exist. Use aws or plain.`)
  if (RuntimeClient.aws !== undefined) return RuntimeClient.aws
  throw new UsageError(
    "AWS's runtime client is not built here. Build it with pnpm lambda:runtime, or use --client plain.",
  )
}

const readJson = async (file: string): Promise<unknown> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`The event cannot be read: ${reasonOf(error)}.`)
  })
  const text = Result.getOrThrowWith(Utf8.decode(bytes), (reason) => new UsageError(`${file}: ${reason}.`))
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON. apps/validation-lambda/test/golden has an event of each kind.`)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
