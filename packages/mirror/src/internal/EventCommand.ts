/**
 * A command that runs for an event, in a group of processes of its own, so that whatever it has started ends with it when
 * it is interrupted. Spawned by Node itself: its output goes to our standard error, and Effect's ChildProcess can hand down
 * only the same stream.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import type { DeliveredEvent } from "../TransferEvents.ts"
import * as CommandEnvironment from "./CommandEnvironment.ts"

/** How long the processes of a command that is interrupted have to end by themselves. */
const graceMillis = 1000

/**
 * Runs a command for an event, with its JSON on standard input and an environment less our secrets. Returns how it failed,
 * such as `exited with 3`; nothing if it succeeded. What the command leaves running when it ends by itself goes on; if this
 * is interrupted, or this process exits, all of it ends.
 */
export const run = (
  command: string,
  event: DeliveredEvent,
  env: NodeJS.ProcessEnv,
): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const failed = (error: unknown) =>
      resume(Effect.succeed(`cannot be started (${error instanceof Error ? error.message : String(error)})`))
    let child: ChildProcess
    try {
      // Windows has no groups, and would open a window for it.
      const detached = process.platform !== "win32"
      child = spawn(command, { shell: true, stdio: ["pipe", 2, 2], env: environmentOf(event, env), detached })
    } catch (error) {
      return failed(error)
    }
    const kill = () => void signal(child, "SIGKILL")
    let isEnding = false
    // Not for SIGHUP: a listener would undo what nohup has set.
    const release = () => void process.off("exit", kill)
    process.on("exit", kill)
    child
      .on("error", (error) => {
        release()
        failed(error)
      })
      .on("close", (code, name) => {
        // What it has started may still be there.
        if (!isEnding) release()
        resume(Effect.succeed(code === 0 ? undefined : `exited with ${code ?? name}`))
      })
    child.stdin?.on("error", () => {}).end(`${JSON.stringify(event)}\n`)
    return Effect.suspend(() => {
      isEnding = true
      return Effect.ensuring(end(child), Effect.sync(release))
    })
  })

/** Ends a command and what it has started: first asks, then does not. */
const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.promise(async () => {
    let isThere = signal(child, "SIGTERM")
    for (let waited = 0; isThere && waited < graceMillis; waited += 20) {
      await new Promise((resolve) => void setTimeout(resolve, 20))
      isThere = signal(child, 0)
    }
    signal(child, "SIGKILL")
  })

/** Sends a signal to a command and all that it has started, and returns whether there is any of it. */
const signal = (child: ChildProcess, name: NodeJS.Signals | 0): boolean => {
  if (child.pid === undefined) return false
  try {
    return process.kill(process.platform === "win32" ? child.pid : -child.pid, name)
  } catch {
    return false
  }
}

/** An environment without our secrets. Standard input has the values that cannot be variables. */
const environmentOf = ({ event, transfer }: DeliveredEvent, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const variables = { TRANSFER_EVENT: event, TRANSFER_ID: transfer.id, TRANSFER_STATUS: transfer.status }
  const given = Object.entries(variables).filter(([, value]) => canBeVariable(value))
  return { ...CommandEnvironment.inherited(env), ...Object.fromEntries(given) }
}

/** In characters: what Windows accepts, and in UTF-8 less than Linux does. */
const longestVariable = 32_000

const canBeVariable = (text: string): boolean =>
  text.length <= longestVariable && !text.includes("\0") && text.isWellFormed()
