/**
 * Shell scripts that complete commands, flags and values. The library's generator writes them; it has no option for its
 * heading, which names a flag of the library.
 */
import * as Summary from "@transferkit/domain/Summary"
import { knownKinds, knownStatuses, moneyFields } from "@transferkit/domain/Transfer"
import * as CliCompletions from "effect/cli/Completions"

type CommandDescriptor = CliCompletions.CommandDescriptor
type Type = CliCompletions.FlagType

/** The script for a shell. `profiles` are the names that `--profile` completes to. */
export const script = (shell: CliCompletions.Shell, tree: CommandDescriptor, profiles: ReadonlyArray<string>): string =>
  CliCompletions.generate(tree.name, shell, enrich(tree, tree.flags, valuesOf(profiles))).replaceAll(
    `${tree.name} --completions`,
    `${tree.name} completions`,
  )

/** Known values of flags that take any text, and the flags that name a file. */
const valuesOf = (profiles: ReadonlyArray<string>): ReadonlyMap<string, Type> => {
  const choice = (values: ReadonlyArray<string>): Type => ({ _tag: "Choice", values })
  const file: Type = { _tag: "Path", pathType: "file" }
  return new Map([
    ["status", choice(knownStatuses)],
    ["kind", choice(knownKinds)],
    ["by", choice(Summary.dimensions)],
    ["field", choice(["all", ...moneyFields])],
    ["since", choice(["24h", "7d", "today", "yesterday"])],
    ["until", choice(["now", "today", "yesterday"])],
    ...(profiles.length === 0 ? [] : ([["profile", choice(profiles)]] as const)),
    ...["out", "html", "junit", "state", "from", "accepted", "capabilities", "secret-key-file"].map(
      (name) => [name, file] as const,
    ),
  ])
}

/** Arguments that name a file. */
const files = new Set(["file", "ledger", "older", "newer"])

/** Every command also takes the flags of the root. */
const enrich = (
  command: CommandDescriptor,
  inherited: CommandDescriptor["flags"],
  values: ReadonlyMap<string, Type>,
): CommandDescriptor => {
  const own = new Set(command.flags.map((flag) => flag.name))
  const flags = [...command.flags, ...inherited.filter((flag) => !own.has(flag.name))]
  return {
    ...command,
    flags: flags.map((flag) => ({ ...flag, type: values.get(flag.name) ?? flag.type })),
    arguments: command.arguments.map((argument) =>
      files.has(argument.name) ? { ...argument, type: { _tag: "Path", pathType: "file" } } : argument,
    ),
    subcommands: command.subcommands.map((child) => enrich(child, inherited, values)),
  }
}
