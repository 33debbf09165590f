/**
 * The command of `--exec`. Spawned by Node itself: its output goes to our standard error, and Effect's ChildProcess can
 * hand down only the same stream.
 */
import { type ChildProcess, spawn } from "node:child_process"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import * as Effect from "effect/Effect"

/** What to tell a command of. */
export interface CommandEvent {
  readonly event: string
  readonly transfer: Transfer
}

/** Runs a command for an event, with its JSON on standard input. Returns how it failed; nothing if it succeeded. */
export const run = (command: string, event: CommandEvent): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const failed = (error: unknown) =>
      resume(Effect.succeed(`cannot be started (${error instanceof Error ? error.message : String(error)})`))
    let child: ChildProcess
    try {
      child = spawn(command, { shell: true, stdio: ["pipe", 2, 2], env: environmentOf(event) })
    } catch (error) {
      return failed(error)
    }
    child
      .on("error", failed)
      .on("close", (code, signal) => resume(Effect.succeed(code === 0 ? undefined : `exited with ${code ?? signal}`)))
    child.stdin?.on("error", () => {}).end(`${JSON.stringify(event)}\n`)
    return Effect.sync(() => child.kill())
  })

const secrets = /^(?:TRANSFERS_(?:SECRET_KEY|MCP_TOKEN)|PGPASSWORD|OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS)$/i

/** The environment of this process, without its secrets. Standard input has the values that cannot be variables. */
const environmentOf = ({ event, transfer }: CommandEvent): NodeJS.ProcessEnv => {
  const mirror = MirrorAddress.hasSecret(process.env["TRANSFERS_MIRROR"] ?? "") ? ["TRANSFERS_MIRROR"] : []
  const inherited = Object.entries(process.env).filter(([name]) => !secrets.test(name) && !mirror.includes(name))
  const variables = { TRANSFER_EVENT: event, TRANSFER_ID: transfer.id, TRANSFER_STATUS: transfer.status }
  const given = Object.entries(variables).filter(([, value]) => canBeVariable(value))
  return Object.fromEntries([...inherited, ...given])
}

/** In characters: what Windows accepts, and in UTF-8 less than Linux does. */
const longestVariable = 32_000

const canBeVariable = (text: string): boolean =>
  text.length <= longestVariable && !text.includes("\0") && text.isWellFormed()
