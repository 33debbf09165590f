/** The values of the global flags: a service, so that each function names in its type that it depends on them. */
import type { CellForm } from "@transferkit/files/formats/CsvDialect"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { UsageError } from "../UsageError.ts"

/** The formats of standard output. */
export const outputs = ["table", "json", "ndjson", "csv", "xlsx"] as const

/** One of {@link outputs}. */
export type Output = (typeof outputs)[number]

/** The values. The root command provides them to all commands. */
export class Globals extends Context.Service<
  Globals,
  {
    readonly baseUrl: string | undefined
    readonly partnerId: string | undefined
    /** The first of `profiles`. */
    readonly profile: string | undefined
    readonly profiles: ReadonlyArray<string>
    readonly secretKeyFile: string | undefined
    readonly secretKeyStdin: boolean
    readonly sandbox: boolean
    readonly now: string | undefined
    readonly from: string | undefined
    readonly asOf: string | undefined
    readonly exportedAs: CellForm | undefined
    readonly allowIncomplete: boolean
    readonly output: Output | undefined
    readonly noColor: boolean
    readonly quiet: boolean
  }
>()("@transferkit/cli/Globals") {}

/** True for machine-readable output; then standard error has only machine-readable errors and warnings. */
export const isForScript: Effect.Effect<boolean, never, Globals> = Effect.map(
  Globals,
  ({ output }) => output === "json" || output === "ndjson",
)

/** Fails if several are named: only sync and worker take several, and they name one at a time. */
export const oneProfile = Effect.gen(function* () {
  const { profile, profiles } = yield* Globals
  if (profiles.length <= 1) return profile
  return yield* new UsageError({
    message: "--profile: name one profile. Only transfers sync and transfers worker take several.",
  })
})

/** Rejects a format that a command cannot print. */
export const only = (command: string, printed: ReadonlyArray<Output>): Effect.Effect<void, UsageError, Globals> =>
  Effect.flatMap(Globals, ({ output }) => {
    if (output === undefined || printed.includes(output)) return Effect.void
    const formats = printed.join(", ").replace(/, (?=[a-z]+$)/, " or ")
    return new UsageError({ message: `--output ${output}: transfers ${command} prints ${formats}.` })
  })

/** The formats of a command that prints no rows: a document, or only errors, which are JSON for scripts. */
export const withoutRows = ["table", "json", "ndjson"] as const

/** Runs an effect as if some flags had other values. */
export const override =
  (changes: Partial<Globals["Service"]>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Globals> | Globals> =>
    Effect.flatMap(Globals, (globals) => Effect.provideService(self, Globals, { ...globals, ...changes }))
