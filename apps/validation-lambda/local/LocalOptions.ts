/** What `pnpm lambda:local` is told on its command line. */
import { readFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import * as RuntimeClient from "./RuntimeClient.ts"

/** Everything that can be said. */
export interface LocalOptions {
  readonly port: number
  readonly timeoutMillis: number
  readonly client: RuntimeClient.RuntimeClient
  /** The one event to answer, instead of listening. */
  readonly event?: { readonly value: unknown }
}

/** Something that cannot be done as it was said. Its message is for the person who said it. */
export class Misuse extends Error {}

export const help = `Runs the validation lambda on this machine.

  pnpm lambda:local [--port 9000] [--timeout 25] [--client aws|plain]
  pnpm lambda:local --event FILE

The function's settings are the TRANSFERS_* and AWS_* variables of this process.
aws is AWS's own runtime client, built by pnpm lambda:runtime; plain needs no build.
`

/** Reads the arguments and the event's file. Rejects with a {@link Misuse}. */
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
    throw new Misuse(`${reasonOf(error)}\nSee pnpm lambda:local --help.`)
  }
}

const numberBetween = (
  text: string,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= from && number <= to) return number
  throw new Misuse(`${name} is ${JSON.stringify(text)}, and has to be a whole number from ${from} to ${to}.`)
}

const clientNamed = (name: string): RuntimeClient.RuntimeClient => {
  if (name === "plain") return RuntimeClient.plain
  if (name !== "aws") throw new Misuse(`There is no runtime client ${JSON.stringify(name)}. Take aws or plain.`)
  if (RuntimeClient.aws !== undefined) return RuntimeClient.aws
  throw new Misuse("AWS's runtime client is not built here. Build it with pnpm lambda:runtime, or take --client plain.")
}

const readJson = async (file: string): Promise<unknown> => {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Misuse(`The event cannot be read: ${reasonOf(error)}.`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new Misuse(`${file} is not JSON. apps/validation-lambda/test/golden has an event of each kind.`)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
