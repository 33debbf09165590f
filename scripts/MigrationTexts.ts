/** The migrations of the mirror as a module, because a bundle has no other files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "./Repository.ts"

const folder = join(Repository.root, "packages/mirror/sql")

/** The module, from the root of the repository. */
export const file = "packages/mirror/src/internal/schema/Migrations.ts"

/** Its text. */
export const current = (): string => {
  const names = readdirSync(folder).filter((name) => /^\d/.test(name))
  const one = (name: string): string => {
    const text = readFileSync(join(folder, name), "utf8")
    if (/[`\\]|\$\{/.test(text)) throw new Error(`${name} has a backtick, a backslash or \${`)
    return `    {\n      id: ${Number(name.slice(0, 4))},\n      text: \`${text}\`,\n    },\n`
  }
  const dialect = (name: string, suffix: string): string =>
    `  ${name}: [\n${names
      .filter((each) => each.endsWith(`.${suffix}.sql`))
      .toSorted()
      .map(one)
      .join("")}  ],\n`
  return `/** The files of the folder \`sql\`, written by \`pnpm generate\`. */
export const files = {
${dialect("sqlite", "sqlite")}${dialect("pg", "postgres")}} as const
`
}
