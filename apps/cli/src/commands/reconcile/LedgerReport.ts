/** How a ledger was read, in words: what was detected is said before any result rests on it. */
import * as Ledger from "@transferkit/files/ledgers/Ledger"
import { counted } from "../../output/Quantity.ts"

const delimiters: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }

/** A sentence, then what was detected and what was given. */
export const sentence = ({ file, rows, encoding, delimiter, columns, decimal, detected }: Ledger.Reading): string => {
  const facts: ReadonlyArray<readonly [Ledger.Reading["detected"][number], string]> = [
    ["encoding", encoding],
    ["delimiter", delimiters[delimiter] ?? JSON.stringify(delimiter)],
    ["decimal", `decimal ${decimal === "." ? "point" : "comma"}`],
    ...Ledger.parts.flatMap((part) => {
      const column = columns[part]
      return column === undefined ? [] : [[part, `${part} in ${JSON.stringify(column)}`] as const]
    }),
  ]
  const told = (title: string, own: typeof facts): string =>
    own.length === 0 ? "" : ` ${title}: ${own.map(([, text]) => text).join(", ")}.`
  const [found, given] = [
    facts.filter(([name]) => detected.includes(name)),
    facts.filter(([name]) => !detected.includes(name)),
  ]
  return `Read ${counted(rows, "row")} of ${file}.${told("Detected", found)}${told("Given", given)}`
}
