/** Command lines in texts, broken where a shell lets them be: what is copied from a terminal still runs. */
import stringWidth from "string-width"

const continuation = " \\"
const indent = "  "

/** The command line within a width where it can be, its further lines indented. */
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

/** What belongs together: a flag and its value, a command and its arguments. */
const parts = (command: string): ReadonlyArray<string> => {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []
  const found: Array<string> = []
  for (const word of words) {
    if (found.length === 0 || /^(?:--|\||&&|>)/.test(word)) found.push(word)
    else found[found.length - 1] += ` ${word}`
  }
  return found
}
