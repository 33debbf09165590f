/**
 * The site for language models: `llms.txt` lists its pages, `llms-full.txt` holds them all, and each page is also there as
 * Markdown, under its own address with `.md`.
 */
import type { Generated } from "./Reference.ts"

/** A file below the site's root. */
export interface File {
  readonly path: string
  readonly text: string
}

const summary =
  "Search, export, mirror, reconcile and validate a partner's fiat ⇄ crypto transfers, and test against a faithful fake. Amounts are exact decimal text, instants are RFC 3339."

/** What is listed under which heading, by the beginning of a page's path; the rest comes first. */
const groups: ReadonlyArray<readonly [heading: string, paths: RegExp]> = [
  ["Programs", /^(?:apps\/|reference\/transfers)/],
  ["Libraries", /^(?:packages\/|examples)/],
  ["The service", /^(?:partner-api|reference\/openapi|sql|scale)/],
  ["Optional", /^(?:api\/|bench|decisions|quality|architecture|comparison|certificates|release-notes|versioning)/],
]

/** The files of a site whose pages these are. */
export const files = (pages: ReadonlyArray<Generated>): ReadonlyArray<File> => {
  const sorted = pages.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const headingOf = (path: string) => groups.find(([, paths]) => paths.test(path))?.[0] ?? "Start"
  const sections = ["Start", ...groups.map(([heading]) => heading)].map((heading) => {
    const entries = sorted.filter(({ path }) => headingOf(path) === heading).map(entryOf)
    return `## ${heading}\n\n${entries.join("\n")}`
  })
  const head = `# TransferKit\n\n> ${summary}\n\nEach page is Markdown under the address given here. [All of them in one file](/llms-full.txt).`
  const whole = sorted
    .filter(({ path }) => headingOf(path) !== "Optional")
    .map(({ path, markdown }) => `<!-- /${path} -->\n\n${markdown.trim()}`)
  return [
    { path: "llms.txt", text: `${[head, ...sections].join("\n\n")}\n` },
    { path: "llms-full.txt", text: `${[`# TransferKit\n\n> ${summary}`, ...whole].join("\n\n")}\n` },
    ...sorted.map(({ path, markdown }) => ({ path, text: markdown })),
  ]
}

const entryOf = ({ path, markdown }: Generated): string => {
  const [, title = path] = /^# (.+)$/m.exec(markdown) ?? []
  return `- [${title.replaceAll(/[`[\]]/g, "")}](/${path})${descriptionOf(markdown)}`
}

/** The first sentence below the title, if it is a plain one. */
const descriptionOf = (markdown: string): string => {
  const [, sentence] = /^# .+\n\n([A-Z][^\n|<]*?[.:])(?:\s|$)/m.exec(markdown) ?? []
  return sentence === undefined ? "" : `: ${sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/:$/, ".")}`
}
