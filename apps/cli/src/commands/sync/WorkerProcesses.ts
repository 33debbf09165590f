/** The processes of `--workers`: each runs `transfers worker`, and ends when no window is left, or with this one. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { Globals } from "../../flags/Globals.ts"
import { Screen } from "../../terminal/Screen.ts"
import * as WorkerParent from "./WorkerParent.ts"

/** What to start. */
export interface Options {
  readonly to: string
  readonly workers: number
  readonly concurrency: number | undefined
}

/** Starts the processes besides this one, and waits for them. */
export const run = Effect.fnUntraced(function* ({ to, workers, concurrency }: Options) {
  const pages = concurrency === undefined ? [] : ["--concurrency", String(concurrency)]
  const args = ["--once", ...pages, ...flagsOf(yield* Globals)]
  const one = Effect.flatMap(Screen, ({ warn }) =>
    Effect.flatMap(ended(args, to), (how) =>
      how === undefined ? Effect.void : warn(`A worker ended early: ${how}\n`),
    ),
  )
  yield* Effect.forEach(Array.from({ length: workers - 1 }), () => one, { concurrency: "unbounded", discard: true })
})

/** The flags that say whose transfers to read. None of them is a secret. */
const flagsOf = ({
  profile,
  baseUrl,
  partnerId,
  secretKeyFile,
  sandbox,
  now,
}: Globals["Service"]): ReadonlyArray<string> => [
  ...Object.entries({
    profile,
    now,
    "base-url": baseUrl,
    "partner-id": partnerId,
    "secret-key-file": secretKeyFile,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ...(sandbox ? ["--sandbox"] : []),
]

/** Starts this program, and returns how it failed, if it did. */
const ended = (args: ReadonlyArray<string>, to: string): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const [, program = ""] = process.argv
    const child = spawn(process.execPath, [...process.execArgv, program, "worker", ...args], {
      // The address may hold a password, so it is not an argument.
      env: { ...process.env, ...WorkerParent.environment(), TRANSFERS_MIRROR: to },
      stdio: ["pipe", "ignore", "inherit"],
    })
    child
      .on("error", ({ message }) => resume(Effect.succeed(message)))
      .on("close", (code, signal) => resume(Effect.succeed(code === 0 ? undefined : (signal ?? `exit code ${code}`))))
    return Effect.sync(() => child.kill())
  })
