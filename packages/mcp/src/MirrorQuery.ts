/** SQL over a mirror, as the program around the server runs it. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** The statement was rejected, or failed. The message is that of the program that ran it. */
export class QueryFailed extends Data.TaggedError("QueryFailed")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** Runs a statement that can only read, and returns its rows. */
export type Run = (sql: string) => Effect.Effect<ReadonlyArray<unknown>, QueryFailed>

/** An answer shows far less. */
const mostBytes = 16 * 1024 * 1024

/** Seconds, less than the patience of a call: a database ends the statement by itself, even if the process is killed. */
const limit = "45"

/** Milliseconds that a process gets to cancel its statement in the database. */
const grace = 1000

/** The program `transfers`, as this process runs it. */
export interface Program {
  readonly file: string
  /** What Node needs to run it. */
  readonly program: ReadonlyArray<string>
}

/** The mirror. */
export interface Mirror {
  readonly from: string | undefined
  readonly asOf: string | undefined
  readonly allowIncomplete: boolean
}

/**
 * Runs each statement by `transfers query`, which can only read, in a process of its own: a statement that takes too long
 * is ended with its process. An interruption waits for that end.
 */
export const inProcess =
  ({ file, program }: Program, { from = "", asOf, allowIncomplete }: Mirror): Run =>
  (sql) =>
    Effect.callback((resume) => {
      const flags = ["--output", "json", "--timeout", limit, "--from", from]
      const at = asOf === undefined ? [] : ["--as-of", asOf]
      const args = [...program, "query", "-", ...flags, ...at, ...(allowIncomplete ? ["--allow-incomplete"] : [])]
      const child = spawn(file, args, { stdio: "pipe" })
      const texts = { stdout: "", stderr: "" }
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (text: string) => {
          if ((texts[name] += text).length > mostBytes) child.kill("SIGKILL")
        })
      }
      const fail = (reason: string) => resume(Effect.fail(new QueryFailed({ reason })))
      child.on("error", ({ message }) => fail(message))
      child.on("close", (code) => {
        if (code === 0) return resume(Effect.sync(() => JSON.parse(texts.stdout)))
        fail(texts.stdout.length > mostBytes ? "The result is too large: ask for less." : reasonOf(texts.stderr))
      })
      child.stdin.on("error", () => undefined).end(sql)
      return end(child)
    })

/** Only a process that may still act cancels what it asked of a database. */
const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const killing = setTimeout(() => child.kill("SIGKILL"), grace)
    child.once("exit", () => {
      clearTimeout(killing)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

/** The program prints its error as one line of JSON. */
const reasonOf = (stderr: string): string => {
  try {
    const { message } = Object(Object(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).error)
    // Where the mirror is does not matter to the client.
    return String(message).replace(/^(?:sqlite|postgres(?:ql)?):\S*: /, "")
  } catch {
    return stderr.trim() || "The query ended without a result."
  }
}
