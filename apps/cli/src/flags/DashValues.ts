/** Values that begin with a dash, which the parser takes for flags: `-dash.csv` for -d, -a, -s and -h, which prints the help. */
import type * as Command from "effect/cli/Command"
import * as CliCompletions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { UsageError } from "../UsageError.ts"

/** Joins values that often begin with a dash to their flags: `--sort -created_at` becomes `--sort=-created_at`. */
export const join = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isJoined = (index: number) => joined.get(args[index] ?? "")?.test(args[index + 1] ?? "") === true
  return args.flatMap((arg, index) =>
    isJoined(index) ? [`${arg}=${args[index + 1]}`] : isJoined(index - 1) ? [] : [arg],
  )
}

const joined: ReadonlyMap<string, RegExp> = new Map([
  ["--sort", /^-[a-z]/],
  ["--time-zone", /^-\d/],
  ["--tolerance", /^-\d/],
])

/** The short flags of all commands. */
const short = /^[hoqv]+$/

/** What the parser takes for flags of one letter. It takes a number for a value. */
const lettersOf = (arg: string): string | undefined =>
  Number.isFinite(Number(arg)) ? undefined : /^-([^-=][^=]*)/.exec(arg)?.[1]

/** Fails if a value would be read as flags, and says what to write instead. */
export const check = Effect.fnUntraced(function* (args: ReadonlyArray<string>, tree: Command.Command.Any) {
  const end = args.indexOf("--")
  const own = end === -1 ? args : args.slice(0, end)
  const at = own.findIndex((arg) => !short.test(lettersOf(arg) ?? "h"))
  if (at === -1) return
  const [value, before] = [own[at]?.slice(0, 64) ?? "", own[at - 1] ?? ""]
  const isValue = before.startsWith("--") && takesValue(CliCompletions.fromCommand(tree), before.slice(2))
  // One letter is a flag that is not there, or one of another program: the parser says what was meant.
  if (!isValue && value.length === 2) return
  const reason = `${JSON.stringify(value)} begins with a dash, so it is read as flags of one letter each.`
  const message = isValue
    ? `${before}: ${reason} Write ${before}=${value}, or ./${value} for a file.`
    : `${reason} Write ./${value} for a file, or -${value} for a flag.`
  return yield* new UsageError({ message })
})

const takesValue = ({ flags, subcommands }: CliCompletions.CommandDescriptor, name: string): boolean =>
  flags.some((flag) => flag.name === name && flag.type._tag !== "Boolean") ||
  subcommands.some((command) => takesValue(command, name))
