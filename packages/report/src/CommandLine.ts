/** Command lines folded so that they still run when copied from a terminal. */
import stringWidth from "string-width"

const continuation = " \\"
const indent = "  "

/**
 * The command line within a width if possible, its further lines indented.
 *
 * @example
 * CommandLine.fold("transfers search --status complete --all", 30) // => "transfers search \\\n  --status complete --all"
 */
export const fold = (command: string, width: number): string => {
  if (stringWidth(command) <= width) return command
  const lines: Array<string> = []
  for (const part of parts(command)) {
    const line = lines.at(-1)
    const longer = `${line} ${part}`
    if (line === undefined) lines.push(part)
    else if (stringWidth(longer) + continuation.length <= width) lines[lines.length - 1] = longer
    else lines.push(`${indent}${part}`)
  }
  return lines.join(`${continuation}\n`)
}

/** Parts that stay on one line: a flag and its value, a command and its arguments. */
const parts = (command: string): ReadonlyArray<string> => {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []
  const found: Array<string> = []
  for (const word of words) {
    if (found.length === 0 || /^(?:--|\||&&|>)/.test(word)) found.push(word)
    else found[found.length - 1] += ` ${word}`
  }
  return found
}
