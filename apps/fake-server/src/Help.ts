/** The help page: the flags in groups with the names of their values, variables, examples and exit codes. */
import { styleText } from "node:util"
import * as HelpPage from "@transferkit/report/HelpPage"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Option from "effect/Option"

/** A flag and its value. Those that no group names come first, as FLAGS. */
const groups = [
  ["SERVER", "port=PORT host=ADDRESS partner=ID:SECRET admin-token=TOKEN allow-host=NAME cors=ORIGIN tls=FILE json"],
  ["TRANSFERS", "transfers=N seed=N now=TIME arrivals=RATE fees=FILE data=FILE from=MIRROR"],
  [
    "BEHAVIOUR",
    "latency=TIME rate-limit=RATE faults=FILE order=ORDER displaced=N default-limit=N lte-token=TEXT lenient like=FILE",
  ],
  ["RECORDINGS", "record=URL out=FILE keep-identifiers replay=FILE"],
].map(([title = "", flags = ""]) => ({ title, flags: flags.split(" ").map((flag) => flag.split("=")) }))

const variables: HelpPage.Section["rows"] = [
  ["TRANSFERS_FAKE_...", "Each flag is a variable, too: --admin-token is TRANSFERS_FAKE_ADMIN_TOKEN"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "Send telemetry to this OpenTelemetry collector"],
]

const exitCodes: HelpPage.Section["rows"] = [
  ["0", "a signal has stopped it"],
  ["2", "it cannot start"],
]

/** The page, at most 80 cells wide. */
export const render = ({ description, flags, examples = [] }: HelpDoc): string => {
  const named = new Set(groups.flatMap((group) => group.flags.map(([name]) => name)))
  const others = flags.filter(({ name }) => !named.has(name)).map(({ name, type }) => [name, type])
  const sections = [{ title: "FLAGS", flags: others }, ...groups].map(({ title, flags: own }) => ({
    title,
    rows: own.flatMap(([name, value = ""]) =>
      flags
        .filter((flag) => flag.name === name)
        .map((flag) => HelpPage.flagRow(flag, { value, text: Option.getOrElse(flag.description, () => "") })),
    ),
    examples: [],
  }))
  const content = [
    ...sections.filter(({ rows }) => rows.length > 0),
    { title: "ENVIRONMENT", rows: variables, examples: [] },
    { title: "EXAMPLES", rows: [], examples },
    { title: "EXIT CODES", rows: exitCodes, examples: [] },
  ]
  const drawn = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream: process.stdout })
  const style = { heading: drawn("bold"), accent: drawn("cyan"), quiet: drawn("dim") }
  const width = Math.min(process.stdout.columns || 80, 80)
  return HelpPage.render({ description, usage: "transfers-fake [flags]", sections: content }, { width, style })
}
