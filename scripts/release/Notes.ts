/** The notes of a release for the page of that release, from `docs/release-notes.md`. */
import { posix } from "node:path"

/** The file that they come from. */
export const source = "docs/release-notes.md"

/** The notes of a version: without the title, which the release page has, and with links to the files of that version. */
export const make = (markdown: string, version: string): string => {
  if (!markdown.startsWith("# ")) throw new Error(`${source} does not begin with a title.`)
  const files = `https://github.com/transferkit/transferkit/blob/v${version}/`
  return markdown
    .slice(markdown.indexOf("\n"))
    .trimStart()
    .replaceAll(
      /\]\((?!https?:)([^)\s]+)\)/g,
      (_, link: string) => `](${files}${posix.join(posix.dirname(source), link)})`,
    )
}
