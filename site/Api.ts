/** A page for each public module of the packages, from its docstrings and types. Tests run the examples in them. */
import { globSync } from "node:fs"
import { join } from "node:path"
import {
  Application,
  type Comment,
  type CommentDisplayPart,
  type CommentTag,
  type DeclarationReflection,
  ReflectionKind,
  type SignatureReflection,
} from "typedoc"
import * as Repository from "../scripts/Repository.ts"

/** The packages whose modules people import. */
const packages = [
  "domain",
  "http-client",
  "fake",
  "mirror",
  "files",
  "in-memory",
  "http-api",
  "conformance",
  "report",
  "mcp",
]

/** The public modules of a package: all but those in its room `internal`. */
const modulesOf = (name: string): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: sourcesOf(name), exclude: (file) => file === "internal" })
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted()

const sourcesOf = (name: string): string => join(Repository.root, `packages/${name}/src`)

/** The pages. */
export const pages = async (): Promise<ReadonlyArray<{ readonly path: string; readonly markdown: string }>> => {
  const app = await Application.bootstrap({
    entryPoints: packages.flatMap((name) => modulesOf(name).map((module) => join(sourcesOf(name), `${module}.ts`))),
    tsconfig: join(import.meta.dirname, "tsconfig.sources.json"),
    sort: ["source-order"],
    excludeExternals: true,
    disableSources: true,
    // `pnpm types` checks them.
    skipErrorChecking: true,
    logLevel: "Error",
  })
  const project = await app.convert()
  if (project === undefined) throw new Error("TypeDoc cannot read the packages.")
  return project.getReflectionsByKind(ReflectionKind.Module).flatMap((module) => {
    if (!module.isDeclaration()) return []
    const name = module.name.replace(/^(?:packages\/)?([\w-]+)\/src\//, "$1/")
    return [{ path: `api/${name}.md`, markdown: page(name, module) }]
  })
}

const page = (name: string, module: DeclarationReflection): string => {
  const short = name.split("/").at(-1) ?? name
  const exports = (module.children ?? []).filter(({ kind }) => kind !== ReflectionKind.Reference)
  return [
    `# ${short}`,
    textOf(module.comment),
    code(`import ${/^[A-Z]/.test(short) ? `* as ${short}` : "{ … }"} from "@transferkit/${name}"`),
    ...exports.flatMap((each) => [`## ${each.name}`, ...entry(each)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n")
}

const entry = (self: DeclarationReflection): ReadonlyArray<string> => {
  const comment = textOf(self.comment ?? self.signatures?.[0]?.comment)
  switch (self.kind) {
    case ReflectionKind.Function:
      return [comment, code((self.signatures ?? []).map(signature).join("\n"))]
    case ReflectionKind.Class:
      return [comment, fields(self)]
    case ReflectionKind.Interface:
      return [comment, fields(self)]
    case ReflectionKind.TypeAlias:
      return [comment, code(`type ${self.name}${parametersOf(self.typeParameters)} = ${self.type}`)]
    default:
      return [comment, self.type === undefined ? fields(self) : code(`const ${self.name}: ${self.type}`)]
  }
}

const signature = (self: SignatureReflection): string => {
  const given = (self.parameters ?? []).map(
    ({ name, type, flags }) => `${flags.isRest ? "..." : ""}${name}${flags.isOptional ? "?" : ""}: ${type}`,
  )
  return `${self.name}${parametersOf(self.typeParameters)}(${given.join(", ")}): ${self.type}`
}

const parametersOf = (parameters: ReadonlyArray<{ readonly name: string }> | undefined): string =>
  parameters === undefined ? "" : `<${parameters.map(({ name }) => name).join(", ")}>`

/** The fields and methods of an interface or a class, with what is said of each. */
const fields = (self: DeclarationReflection): string => {
  const members = (self.children ?? []).filter(
    ({ kind, name }) => kind !== ReflectionKind.Constructor && name !== "message" && !/^[[~]/.test(name),
  )
  const rows = members.map((member) => {
    const [method] = member.signatures ?? []
    const type =
      method === undefined ? `${member.type ?? member.getSignature?.type}` : signature(method).slice(member.name.length)
    const name = `\`${member.name}${member.flags.isOptional ? "?" : ""}\``
    return [name, `\`${type}\``, textOf(member.comment ?? method?.comment ?? member.getSignature?.comment)]
  })
  if (rows.length === 0) return ""
  const isSaid = rows.some(([, , meaning]) => meaning !== "")
  return [["field", "type", "meaning"], ["---", "---", "---"], ...rows]
    .map(
      (cells) =>
        `| ${cells
          .slice(0, isSaid ? 3 : 2)
          .map(cell)
          .join(" | ")} |`,
    )
    .join("\n")
}

const cell = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|")

const textOf = (comment: Comment | undefined): string =>
  [said(comment?.summary), ...(comment?.blockTags ?? []).map(tagged)].filter((part) => part !== "").join("\n\n")

const tagged = ({ tag, content }: CommentTag): string => {
  const text = said(content)
  if (tag === "@default") return `Default: ${text.replace(/^```ts\n([^]*)\n```$/, "`$1`")}.`
  return tag === "@example" && !text.startsWith("```") ? code(text) : text
}

const said = (parts: ReadonlyArray<CommentDisplayPart> = []): string =>
  parts
    .map((part) => (part.kind === "inline-tag" ? `\`${part.text}\`` : part.text))
    .join("")
    .trim()

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``
