/** Pages that are made from the programs: their help, and the contract. */
import * as HelpPages from "../apps/cli/scripts/HelpPages.ts"
import * as Style from "../apps/cli/src/terminal/Style.ts"
import { document } from "../packages/http-api/src/OpenApiDocument.ts"
import * as Programs from "../scripts/Programs.ts"

/** A page that is made. `source` is the file whose text it shows, if it is one. */
export interface Generated {
  readonly path: string
  readonly markdown: string
  readonly source?: string
}

/** The help of both programs, as a terminal shows it. */
export const help = async (): Promise<ReadonlyArray<Generated>> => {
  const pages = await HelpPages.all({ width: 100, style: Style.make({ colour: false }) })
  const commands = Object.entries(pages).map(([path, text]) => `## ${`transfers ${path}`.trim()}\n\n${block(text)}`)
  return [
    {
      path: "reference/transfers.md",
      markdown: `# transfers --help\n\nThe help of the program and of each command. A test runs the examples in it.\n\n${commands.join("\n\n")}\n`,
    },
    {
      path: "reference/transfers-fake.md",
      markdown: `# transfers-fake --help\n\nEach flag is also an environment variable: \`TRANSFERS_FAKE_\` and the flag's name.\n\n${block(Programs.helpOf("transfers-fake", undefined) ?? "")}\n`,
    },
  ]
}

/** The contract as an OpenAPI document: its operations, and the whole to download. */
export const openApi = (): { readonly page: Generated; readonly json: string } => {
  const operations = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get === undefined
      ? []
      : [
          `## GET ${path}`,
          get.description ?? "",
          table(
            ["parameter", "meaning"],
            get.parameters.map(({ name, description }) => [`\`${name}\``, description ?? ""]),
          ),
          table(
            ["status", "response"],
            Object.entries(get.responses).map(([status, { description }]) => [status, description]),
          ),
        ],
  )
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `### ${name}\n\n${block(JSON.stringify(schema, undefined, 2), "json")}`,
  )
  const markdown = [
    "# OpenAPI",
    "The contract, from which clients in any language are generated: [openapi.json](/openapi.json). Client and fake are built on the same definition. [The contract in words](/partner-api.md) says what each field means.",
    ...operations,
    "## Schemas",
    ...schemas,
  ].join("\n\n")
  return {
    page: { path: "reference/openapi.md", markdown: `${markdown}\n` },
    json: JSON.stringify(document, undefined, 2),
  }
}

const block = (text: string, language = "text"): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0 ? "" : [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
