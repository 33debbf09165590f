/** `docs/errors.md`: the exit codes, and each error of a command with its message, read from the sources. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as ExitCode from "../apps/cli/src/ExitCode.ts"
import * as Repository from "./Repository.ts"

/** The files whose errors end a command, and a heading for each. */
const sources = [
  ["Requests to the service", "packages/domain/src/TransferApiError.ts"],
  ["Pages of the service", "packages/domain/src/TransferPagerError.ts"],
  ["Filters", "packages/domain/src/InvalidFilter.ts"],
  ["Settings", "packages/http-client/src/InvalidConfiguration.ts"],
  ["Files", "packages/files/src/FileError.ts"],
  ["Servers for models", "packages/mcp/src/CannotListen.ts"],
  ["Mirrors", "packages/mirror/src/MirrorError.ts"],
  ["The program", "apps/cli/src/Failure.ts"],
] as const

interface ErrorClass {
  readonly name: string
  readonly meaning: string
  readonly messages: ReadonlyArray<string>
}

/** The error classes in a source. What a message fills in is shown as `…`. */
export const errorsIn = (source: string): ReadonlyArray<ErrorClass> =>
  source.split(/^(?=\/\*\*)/m).flatMap((part) => {
    const [, text = "", name] = /^\/\*\*([^]*?)\*\/\nexport class (\w+)[^{]*? extends Data/.exec(part) ?? []
    if (name === undefined) return []
    const [, getter = ""] = /get message\(\): string \{\n([^]*?)\n {2}\}/.exec(part) ?? []
    const messages = [...getter.matchAll(/return `(.*)`$/gm)].map(([, message = ""]) => withoutParts(message))
    return [{ name, meaning: text.replaceAll(/\s*\n \* ?|\s+/g, " ").trim(), messages }]
  })

/** Replaces `${…}` by an ellipsis; a part may have a template inside. */
const withoutParts = (message: string): string => {
  let depth = 0
  return message
    .split(/(\$\{|\})/)
    .map((part) => {
      if (part === "${") return depth++ === 0 ? "…" : ""
      if (part === "}") depth--
      return depth > 0 || part === "}" ? "" : part
    })
    .join("")
    .replaceAll(/…{2,}/g, "…")
}

/** The code of an error; of one that has several kinds, the code of each. */
const codesOf = (_tag: string): string => {
  if (_tag !== "MirrorError") return `Exit code ${ExitCode.of({ _tag } as ExitCode.Failure)}`
  const kinds = Object.entries(ExitCode.byKind).map(([kind, code]) => `${code} (\`${kind}\`)`)
  return `Exit code by its kind: ${kinds.join(", ")}`
}

/** The page. */
export const markdown = (): string =>
  [
    "# Errors and exit codes",
    "This page is made from the sources; a test compares it. [Troubleshooting](troubleshooting.md) says what to do about the frequent ones, and [codes](codes.md) has the findings of the rules.",
    "## Exit codes",
    "Scripts can rely on them.",
    table(["code", "meaning"], ExitCode.meanings),
    ...sources.flatMap(([heading, file]) => [
      `## ${heading}`,
      ...errorsIn(readFileSync(join(Repository.root, file), "utf8")).map(({ name, meaning, messages }) =>
        [
          `### ${name}`,
          `${meaning} ${codesOf(name)}.`,
          ...(messages.length === 0 ? [] : [`\`\`\`text\n${messages.join("\n")}\n\`\`\``]),
        ].join("\n\n"),
      ),
    ]),
  ].join("\n\n") + "\n"

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
