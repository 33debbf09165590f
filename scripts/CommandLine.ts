/** What a script of package.json accepts: `--help` explains it, and anything else that it does not know is an error. */
import { parseArgs } from "node:util"

/** An option, and what it is for. */
export interface Option {
  readonly about: string
  /** The word for its value, such as `FOLDER`. A flag has none. */
  readonly value?: string
}

/** A script. */
export interface Command {
  /** One sentence. */
  readonly about: string
  readonly options?: Readonly<Record<string, Option>>
  /** Its other arguments. None are accepted without. */
  readonly operands?: {
    readonly name: string
    /** What is wrong with one. */
    readonly fault?: (operand: string) => string | undefined
  }
  /** Shell commands, one after the other. The last one is given the arguments. */
  readonly steps: readonly [string, ...ReadonlyArray<string>]
}

/** What to do about the arguments of a script. */
export type Reading = { readonly help: string } | { readonly fault: string } | { readonly accepted: true }

/** Reads the arguments of a script. */
export const read = (
  name: string,
  { options = {}, operands, ...command }: Command,
  args: ReadonlyArray<string>,
): Reading => {
  const config = Object.entries(options).map(([option, { value }]) => [
    option,
    { type: value === undefined ? "boolean" : "string" } as const,
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(config), help: { type: "boolean", short: "h" } },
      allowPositionals: operands !== undefined,
    })
    if ("help" in values) return { help: help(name, { options, ...(operands && { operands }), ...command }) }
    const fault = positionals.map((operand) => operands?.fault?.(operand)).find((found) => found !== undefined)
    return fault === undefined ? { accepted: true } : { fault: `${fault} See pnpm ${name} --help.` }
  } catch (error) {
    // The rest of the message is about arguments that start with a dash.
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(/\. |\n/)
    return { fault: `${reason.replace(/\.$/, "")}. See pnpm ${name} --help.` }
  }
}

const help = (name: string, { about, options = {}, operands }: Command): string => {
  const rows = Object.entries(options).map(([option, { about, value }]): readonly [string, string] => [
    `--${option}${value === undefined ? "" : ` ${value}`}`,
    about,
  ])
  const width = Math.max(...rows.map(([option]) => option.length))
  const usage = [`pnpm ${name}`, ...rows.map(([option]) => `[${option}]`), ...(operands ? [`[${operands.name}…]`] : [])]
  const lines = rows.map(([option, about]) => `  ${option.padEnd(width)}  ${about}\n`)
  return `${about}\n\n  ${usage.join(" ")}\n${lines.length === 0 ? "" : "\n"}${lines.join("")}`
}
