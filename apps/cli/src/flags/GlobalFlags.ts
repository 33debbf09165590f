/** The flags that every command takes, and the root of the command tree that holds them. */
import * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { choice, optional, text, texts, toggle } from "./Flags.ts"
import { outputs } from "./Globals.ts"

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
    now: text("now", "TIME", "With --sandbox: the instant or day at which its transfers end (default today)"),
    from: text(
      "from",
      "SOURCE",
      "Read an export (.csv, .json, .ndjson, .parquet) or a mirror (FILE, postgres://…); TRANSFERS_PARTNER_ID is ignored",
    ),
    asOf: text("as-of", "TIME", "With --from: the transfers as they had been seen then"),
    exportedAs: optional(
      choice("exported-as", "WAY", CsvDialect.cellForms, "How CSV without a manifest was exported, if a command asks"),
    ),
    allowIncomplete: toggle("allow-incomplete", "Answer even if --from lacks some of it; the answer says so"),
    output: optional(
      choice("output", "FORMAT", outputs, "Format, by default table on a terminal, else ndjson or json").pipe(
        Flag.withAlias("o"),
      ),
    ),
    quiet: toggle("quiet", "Print data, warnings and errors only: no notes, no progress").pipe(Flag.withAlias("q")),
    noColor: toggle("no-color", "Print without colours [NO_COLOR]"),
  }),
)
