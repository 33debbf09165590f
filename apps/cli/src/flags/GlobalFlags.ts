/** The flags that every command takes, and the root of the command tree that holds them. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import { UsageError } from "../UsageError.ts"
import { choice, optional, text, texts, toggle } from "./Flags.ts"

/** The formats of standard output. */
export const outputs = ["table", "json", "ndjson", "csv", "xlsx"] as const

/** One of {@link outputs}. */
export type Output = (typeof outputs)[number]

/** The values of the global flags. */
export interface Globals {
  readonly baseUrl: string | undefined
  readonly partnerId: string | undefined
  /** The first of {@link profiles}. */
  readonly profile: string | undefined
  readonly profiles: ReadonlyArray<string>
  readonly secretKeyFile: string | undefined
  readonly secretKeyStdin: boolean
  readonly sandbox: boolean
  readonly from: string | undefined
  readonly asOf: string | undefined
  readonly output: Output | undefined
  readonly noColor: boolean
  readonly quiet: boolean
}

/** True for machine-readable output; then standard error has only machine-readable errors. */
export const isForScript = ({ output }: Globals): boolean => output === "json" || output === "ndjson"

/** The library's own flags that this program keeps. */
export const builtInFlags = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.LogLevel] as const

/** The root command, without its subcommands. */
export const root = Command.make("transfers").pipe(
  Command.withDescription("Search, export, total and validate the transfers of a partner."),
  Command.withExamples([
    { command: "transfers search --sandbox", description: "Try it without an account" },
    { command: "transfers search --external-id order-1001", description: "Look one transfer up" },
    {
      command: "transfers export --since 2024-09 --until 2024-09 --out september.csv",
      description: "Export a month",
    },
  ]),
  Command.withSharedFlags({
    baseUrl: text("base-url", "URL", "Base URL of the service [TRANSFERS_BASE_URL]"),
    partnerId: text("partner-id", "ID", "Partner id [TRANSFERS_PARTNER_ID]"),
    profiles: texts("profile", "NAME", "Saved settings to use [TRANSFERS_PROFILE, else default]"),
    secretKeyFile: text("secret-key-file", "FILE", "Read the secret key from a file [else TRANSFERS_SECRET_KEY]"),
    secretKeyStdin: toggle("secret-key-stdin", "Read the secret key from standard input"),
    sandbox: toggle("sandbox", "Use made-up transfers held in memory; needs no configuration"),
    from: text("from", "SOURCE", "Read an export (.csv, .json, .ndjson, .parquet) or a mirror (FILE, postgres://…)"),
    asOf: text("as-of", "TIME", "With --from: the transfers as they had been seen then"),
    output: optional(
      choice("output", "FORMAT", outputs, "Format, by default table on a terminal, else ndjson or json").pipe(
        Flag.withAlias("o"),
      ),
    ),
    quiet: toggle("quiet", "Print data and errors only: no notes, no progress").pipe(Flag.withAlias("q")),
    noColor: toggle("no-color", "Print without colours [NO_COLOR]"),
  }),
)

/** The handler of a command, loaded when it is called, so that help and other commands start without it. */
export const lazily = <Input, E, R>(
  load: () => Promise<{ readonly run: (input: Input, globals: Globals) => Effect.Effect<void, E, R> }>,
  { severalProfiles }: { readonly severalProfiles?: boolean } = {},
) =>
  Effect.fnUntraced(function* (input: Input) {
    const flags = yield* root
    const globals: Globals = { ...flags, profile: flags.profiles[0] }
    if (globals.profiles.length > 1 && severalProfiles !== true) {
      return yield* new UsageError({
        message: "--profile: name one profile. Only transfers sync and transfers worker take several.",
      })
    }
    const action = yield* Effect.promise(load)
    return yield* action.run(input, globals)
  })
