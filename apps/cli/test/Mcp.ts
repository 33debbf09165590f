/** The official client of the Model Context Protocol, talking to the command as usual clients do. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { afterEach } from "vitest"
import { type RunOptions, start } from "./Cli.ts"

/** A client of a command that is running. */
export interface Conversation {
  readonly client: Client
  readonly child: ChildProcessWithoutNullStreams
  /** All it has written. */
  readonly written: { stdout: string; stderr: string }
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/** The SDK's own transport starts its process in its own way; this one is the same over a process of ours. */
class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #child: ChildProcessWithoutNullStreams
  readonly #buffer = new ReadBuffer()

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
  }

  async start(): Promise<void> {
    this.#child.stdin.on("error", () => {})
    this.#child.on("close", () => this.onclose?.())
    this.#child.stdout.on("data", (chunk: string) => {
      this.#buffer.append(Buffer.from(chunk))
      while (this.#read()) continue
    })
  }

  /** Whether there was a message. One without an id, as JSON-RPC answers what it cannot read, is an error to the SDK. */
  #read(): boolean {
    try {
      const message = this.#buffer.readMessage()
      if (message !== null) this.onmessage?.(message)
      return message !== null
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
      return true
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child.stdin.write(serializeMessage(message))
  }

  async close(): Promise<void> {
    this.#child.stdin.end()
    if (this.#child.exitCode === null) await once(this.#child, "close")
  }
}

/** Starts `transfers mcp` and connects. */
export const converse = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Conversation> => {
  const child = start(["mcp", ...args], options)
  const written = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (written.stdout += chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (written.stderr += chunk))
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const client = new Client({ name: "tester", version: "1.0.0" })
  await client.connect(new ProcessTransport(child))
  return { client, child, written, ended }
}

/** The conversations of a test, which end with it. */
export const conversations = (optionsOf: () => RunOptions) => {
  const open: Array<Conversation> = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ client }) => client.close()))
  })
  return async (...args: ReadonlyArray<string>): Promise<Conversation> => {
    const conversation = await converse(args, optionsOf())
    open.push(conversation)
    return conversation
  }
}

/** What the tests look at in an answer. */
export interface Answer {
  readonly source?: string
  readonly as_of?: string | null
  readonly truncated?: boolean
  readonly data: {
    readonly valid?: boolean
    readonly found_by?: ReadonlyArray<string>
    readonly groups?: ReadonlyArray<unknown>
    readonly transfers: ReadonlyArray<{
      readonly age: string
      readonly transfer: Readonly<Record<string, string>>
      readonly changes: ReadonlyArray<{ readonly changed: Readonly<Record<string, Record<"from" | "to", string>>> }>
    }>
  }
}

/** An answer, or why there is none. */
export interface Outcome {
  readonly isError: boolean
  readonly text: string
  readonly answer: Answer
}

/** Calls a tool. */
export const call = async (
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: { readonly signal?: AbortSignal } = {},
): Promise<Outcome> => {
  const result = await client.callTool({ name, arguments: args }, undefined, options)
  const [content] = Array.isArray(result.content) ? result.content : []
  return { isError: result.isError === true, text: content?.text ?? "", answer: Object(result.structuredContent) }
}

/** The lines of the log. */
export const log = ({ written }: Conversation): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  written.stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
