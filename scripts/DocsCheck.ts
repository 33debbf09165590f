/** Checks that everything a document names exists: paths, links, modules, scripts, commands, flags, variables. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import type { Document } from "./Documents.ts"
import type { Program } from "./Programs.ts"
import * as Repository from "./Repository.ts"
import * as ShellText from "./ShellText.ts"

/** The `--help` output of one of the programs; `undefined` if the command does not exist. */
export type HelpOf = (program: Program, command: string | undefined) => string | undefined

/** The problems in the documents, one line each. */
export const problems = (root: string, documents: ReadonlyArray<Document>, helpOf: HelpOf): ReadonlyArray<string> => {
  const check = makeChecks(root, documents, helpOf)
  return documents.flatMap((document) => {
    const commands = [
      ...document.blocks.flatMap(({ info, text }) => ShellText.commandsOf(info, text)),
      ...document.spans.filter((span) => /^(?:npx|pnpm|transfers|transfers-fake) /.test(span)),
    ]
    const found = [
      ...document.links.map((link) => check.link(document, link)),
      ...document.spans.flatMap((span) => [check.path(document, span), check.module(span), check.variable(span)]),
      ...commands.flatMap((line) => ShellText.wordsOf(line).flatMap((words) => check.command(document, words))),
      ...document.blocks.flatMap(({ text }) => modulesIn(text).map(check.module)),
    ]
    return [...new Set(found)].flatMap((problem) => (problem === undefined ? [] : [`${document.path}: ${problem}`]))
  })
}

const modulesIn = (text: string): ReadonlyArray<string> => text.match(/@transferkit\/[\w-]+\/[\w/]+/g) ?? []

const makeChecks = (root: string, documents: ReadonlyArray<Document>, helpOf: HelpOf) => {
  const scripts = Repository.manifest(root).scripts ?? {}
  const files = Repository.files(root)
  const sources = files
    .filter((file) => /\/src\/.*\.ts$/.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n")
  const places = new Set(files.map((file) => file.split("/")[0]))

  const link = (document: Document, href: string): string | undefined => {
    const isInTree = href.startsWith(Repository.tree)
    if (!isInTree && /^(?:https?|mailto):/.test(href)) return URL.canParse(href) ? undefined : `not a URL: ${href}`
    const isPublished = /^(?:packages|apps)\/[^/]+\/README\.md$/.test(document.path)
    if (!isInTree && isPublished && !href.startsWith("#")) return `not a link on the package's page: ${href}`
    const [path = "", fragment] = href.replace(Repository.tree, "").split("#")
    const folder = isInTree ? "" : dirname(document.path)
    const target = path === "" ? document.path : normalize(join(folder, decodeURI(path)))
    if (!existsSync(join(root, target))) return `no such link target: ${href}`
    if (fragment === undefined || !target.endsWith(".md")) return undefined
    const anchors = documents.find((other) => other.path === target)?.anchors ?? []
    return anchors.includes(fragment) ? undefined : `no such heading: ${href}`
  }

  const path = (document: Document, text: string): string | undefined => {
    if (!/^[\w.@*/-]+$/.test(text) || /\/dist(?:\/|$)/.test(text) || text.startsWith("@")) return undefined
    const isNested = text.includes("/") && places.has(text.split("/")[0])
    const isFileName = /^[\w.-]+\.(?:ts|md|ya?ml)$/.test(text)
    if (!isNested && !isFileName) return undefined
    const near = join(dirname(document.path), text)
    const exists =
      globSync([text, near], { cwd: root }).length > 0 ||
      (isFileName && files.some((file) => file.endsWith(`/${text}`)))
    return exists ? undefined : `no such path: ${text}`
  }

  const module = (text: string): string | undefined => {
    const [, name, file] = /^@transferkit\/([\w-]+)\/([\w/]+)$/.exec(text) ?? []
    if (name === undefined || file === "package") return undefined
    const places = [`packages/${name}/src/${file}.ts`, `apps/${name}/src/${file}.ts`, `packages/${name}/${file}.json`]
    return places.some((place) => files.includes(place)) ? undefined : `no such module: ${text}`
  }

  const variable = (text: string): string | undefined =>
    /^TRANSFERS_[A-Z_]+$/.test(text) && !sources.includes(text) && !helpOf("transfers-fake", undefined)?.includes(text)
      ? `no source reads ${text}`
      : undefined

  const command = (document: Document, words: ReadonlyArray<string>): ReadonlyArray<string | undefined> => {
    const [program = "", ...rest] = words
    if (program === "npx") {
      const pinned = rest.find((word) => word.startsWith("pnpm"))
      if (pinned === undefined) return []
      return pinned === Repository.packageManager(root)
        ? command(document, ["pnpm", ...rest.slice(rest.indexOf(pinned) + 1)])
        : [`${pinned} is not the pinned ${Repository.packageManager(root)}`]
    }
    if (program === "pnpm") return pnpm(document, rest)
    if (program === "transfers" || program === "transfers-fake") return cli(program, rest)
    return rest.map((word) => path(document, word))
  }

  const pnpm = (document: Document, words: ReadonlyArray<string>): ReadonlyArray<string | undefined> => {
    const rest = words.slice(words.findIndex((word) => !word.startsWith("-")))
    const [name = "", ...args] = rest[0] === "run" ? rest.slice(1) : rest
    if (name === "transfers" || name === "transfers-fake") return [script(name), ...cli(name, args)]
    if (name === "exec" || name === "dlx") return command(document, args)
    return [name === "" || builtins.has(name) ? undefined : script(name)]
  }

  const script = (name: string): string | undefined =>
    name in scripts ? undefined : `no such script in package.json: pnpm ${name}`

  const cli = (program: Program, words: ReadonlyArray<string>): ReadonlyArray<string | undefined> => {
    const at = program === "transfers" ? words.findIndex((word) => /^[a-z]+$/.test(word)) : -1
    const subcommand = at === -1 ? undefined : words[at]
    const named = subcommand === undefined ? [program] : [program, subcommand]
    // A command may have subcommands.
    const inner = /^[a-z]+$/.test(words[at + 1] ?? "") ? `${subcommand} ${words[at + 1]}` : undefined
    const help = (inner === undefined ? undefined : helpOf(program, inner)) ?? helpOf(program, subcommand)
    if (help === undefined) return [`no such command: ${named.join(" ")}`]
    return words
      .filter((word) => word.startsWith("--"))
      .map((word) => word.split("=", 1)[0] ?? "")
      .filter((flag) => flag !== "--help" && flag !== "--version")
      .map((flag) =>
        new RegExp(`${flag}(?![\\w-])`).test(help) ? undefined : `no such flag: ${[...named, flag].join(" ")}`,
      )
  }

  return { link, path, module, variable, command }
}

const builtins = new Set(["add", "changeset", "install", "i", "pack", "publish", "why", "peers"])
