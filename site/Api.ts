/** A page for each public module of the packages, from its docstrings and types. Tests run the examples in them. */
import { globSync, readFileSync } from "node:fs"
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
import * as Packages from "./Packages.ts"
import type { Generated } from "./Reference.ts"

/** The public modules of a package: all but those in its room `internal`. */
const modulesOf = (name: string): ReadonlyArray<string> =>
  Packages.inOrder(
    globSync("**/*.ts", { cwd: sourcesOf(name), exclude: (file) => file === "internal" }).map((file) =>
      file.replace(/\.ts$/, ""),
    ),
  )

const sourcesOf = (name: string): string => join(Repository.root, `packages/${name}/src`)

/** A page for each module, and one that lists them by package. */
export const pages = async (): Promise<ReadonlyArray<Generated>> => {
  const app = await Application.bootstrap({
    entryPoints: [...Packages.purposes.keys()].flatMap((name) =>
      modulesOf(name).map((module) => join(sourcesOf(name), `${module}.ts`)),
    ),
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
  const modules = project.getReflectionsByKind(ReflectionKind.Module).flatMap((module) => {
    if (!module.isDeclaration()) return []
    const name = module.name.replace(/^(?:packages\/)?([\w-]+)\/src\//, "$1/")
    const source = `packages/${name.replace("/", "/src/")}.ts`
    const text = readFileSync(join(Repository.root, source), "utf8")
    return [{ path: `api/${name}.md`, source, markdown: page(name, text, module), purpose: headerOf(text) }]
  })
  return [{ path: "api/index.md", markdown: index(modules) }, ...modules]
}

/** What a file is for: the comment that it begins with. TypeDoc takes it for that of the first import. */
const headerOf = (source: string): string => {
  const [, text = ""] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  return text
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .trim()
}

const index = (modules: ReadonlyArray<Generated & { readonly purpose: string }>): string =>
  [
    "# Modules",
    "Every public module, by package. A page shows the functions of its module first, then what they take and return. Tests run the examples.",
    ...[...Packages.purposes].flatMap(([name, purpose], index) => {
      const own = modules.filter(({ path }) => path.startsWith(`api/${name}/`))
      return [
        `## ${purpose}`,
        `[\`@transferkit/${name}\`](/packages/${name}.md)`,
        // All of them open are thirty screens of a phone.
        `::: details ${own.length === 1 ? "1 module" : `${own.length} modules`}${index === 0 ? " {open}" : ""}`,
        own
          .map(
            (module) =>
              `- [${shortOf(module.path.replace(/\.md$/, ""))}](/${module.path}): ${cell(firstSentence(module.purpose))}`,
          )
          .join("\n"),
        ":::",
      ]
    }),
  ]
    .join("\n\n")
    .concat("\n")

/** A list is read across: what follows is on the page of the module. */
const firstSentence = (text: string): string => /^[^]*?[^.\s]\.(?=\s+[A-Z`]|$)/.exec(text)?.[0] ?? text

const shortOf = (name: string): string => name.split("/").at(-1) ?? name

const page = (name: string, text: string, module: DeclarationReflection): string => {
  const short = shortOf(name)
  const own = new Set([...text.matchAll(/^export const (\w+)/gm)].map(([, exported = ""]) => exported))
  const isOwn = (one: DeclarationReflection): boolean => own.has(one.name)
  const exports = (module.children ?? [])
    .filter(({ kind }) => kind !== ReflectionKind.Reference)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || Number(isOwn(other)) - Number(isOwn(one)))
  const functions = exports.filter((one) => one.kind === ReflectionKind.Function && isOwn(one))
  const names = /^[A-Z]/.test(short) ? `* as ${short}` : `{ ${functions.map((one) => one.name).join(", ")} }`
  return [
    `# ${short}`,
    headerOf(text),
    code(`import ${names} from "@transferkit/${name}"`),
    ...exports.flatMap((each) => [`## ${each.name}`, ...entry(each)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n")
}

/** What a reader calls comes first, then what it takes and returns. What a module declares precedes what it takes over. */
const rankOf = ({ kind }: DeclarationReflection): number =>
  kind === ReflectionKind.Function ? 0 : kind === ReflectionKind.Variable ? 1 : kind === ReflectionKind.Class ? 2 : 3

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
    ({ name, type, flags }) =>
      `${flags.isRest ? "..." : ""}${nameOf(name, String(type))}${flags.isOptional ? "?" : ""}: ${type}`,
  )
  return `${self.name}${parametersOf(self.typeParameters)}(${given.join(", ")}): ${self.type}`
}

/** TypeDoc has no name for a parameter that is taken apart: it gets that of its type. */
const nameOf = (name: string, type: string): string => {
  if (!name.startsWith("__namedParameters")) return name
  const [word = "options"] = /^[A-Z]\w*/.exec(type) ?? []
  return word.replace(/^./, (letter) => letter.toLowerCase())
}

const parametersOf = (parameters: ReadonlyArray<{ readonly name: string }> | undefined): string =>
  parameters === undefined ? "" : `<${parameters.map(({ name }) => name).join(", ")}>`

/** The fields and methods of an interface or a class, with what is said of each. One with an example has a heading. */
const fields = (self: DeclarationReflection): string => {
  const members = (self.children ?? [])
    .filter(({ kind, name }) => kind !== ReflectionKind.Constructor && name !== "message" && !/^[[~]/.test(name))
    .map((member) => {
      const [method] = member.signatures ?? []
      const comment = member.comment ?? method?.comment ?? member.getSignature?.comment
      const name = `${member.name}${member.flags.isOptional ? "?" : ""}`
      const type =
        method === undefined
          ? `${member.type ?? member.getSignature?.type}`
          : signature(method).slice(member.name.length)
      const hasExample = comment?.blockTags.some(({ tag }) => tag === "@example") === true
      return { name, type, isMethod: method !== undefined, meaning: textOf(comment), hasExample }
    })
  return [
    tableOf(members.filter(({ hasExample }) => !hasExample)),
    ...members
      .filter(({ hasExample }) => hasExample)
      .flatMap(({ name, type, isMethod, meaning }) => [
        `### ${name}`,
        code(`${name}${isMethod ? "" : ": "}${type}`),
        meaning,
      ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

const tableOf = (members: ReadonlyArray<Readonly<Record<"name" | "type" | "meaning", string>>>): string => {
  if (members.length === 0) return ""
  const isSaid = members.some(({ meaning }) => meaning !== "")
  return [
    ["field", "type", "meaning"],
    ["---", "---", "---"],
    ...members.map(({ name, type, meaning }) => [`\`${name}\``, `\`${type}\``, meaning]),
  ]
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
