/**
 * `TransferOf<Money, Timestamp>`, the type of a transfer without the domain: the Promise client is used without Effect, and
 * its types may not reach it. Made of the table of fields, with its docstrings.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fields, knownKinds, knownStatuses } from "../packages/domain/src/internal/wire/TransferFields.ts"
import * as Repository from "./Repository.ts"

/** The file, in the repository. */
export const file = "packages/http-client/src/internal/promise/TransferOf.ts"

/** Its text, of the table and the source that holds it. */
export const render = (table: Table, source: string): string => {
  const properties = Object.entries(table).map(([name, type]) => {
    const doc = docOf(source, name)
    return `${doc === undefined ? "" : `  /** ${doc} */\n`}  readonly ${name}${types[type]}\n`
  })
  return `/** Made of the table of fields in packages/domain by \`pnpm generate\`. */

/** The fields of a transfer, over the types that hold an amount and an instant. */
export interface TransferOf<Money, Timestamp> {
${properties.join("")}}
`
}

/** The text that belongs in the repository. */
export const current = (): string => {
  const table = join(Repository.root, "packages/domain/src/internal/wire/TransferFields.ts")
  return render(fields, readFileSync(table, "utf8"))
}

type Table = Readonly<Record<string, (typeof fields)[keyof typeof fields]>>

const open = (known: ReadonlyArray<string>): string =>
  [...known.map((name) => `"${name}"`), "(string & {})"].join(" | ")

const types = {
  id: ": string",
  kind: `: ${open(knownKinds)}`,
  status: `: ${open(knownStatuses)}`,
  created: ": Timestamp",
  text: "?: string",
  instant: "?: Timestamp",
  money: "?: Money",
}

const docOf = (source: string, name: string): string | undefined =>
  new RegExp(String.raw`/\*\* (.*) \*/\n  ${name}: "`).exec(source)?.[1]
