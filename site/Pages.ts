/** The repository's documents as pages of the site: which there are, where each stands, and its links in their new places. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, extname, join, normalize } from "node:path"
import type { Document } from "../scripts/Documents.ts"
import * as Repository from "../scripts/Repository.ts"

/** One page. `path` is below the site's root, `source` below the repository's. */
export interface Page {
  readonly path: string
  readonly source: string
  readonly markdown: string
}

/** Where a document stands on the site; `undefined` if it is not part of it. */
export const pathOf = (source: string): string | undefined => {
  if (source === "README.md") return "index.md"
  if (source === "docs/README.md") return "start.md"
  const [, docs] = /^docs\/(.*)$/.exec(source) ?? []
  if (docs !== undefined) return docs.replace(/README\.md$/, "index.md")
  const [, readme] = /^((?:packages|apps)\/[^/]+|examples|deploy|bench)\/README\.md$/.exec(source) ?? []
  return readme === undefined ? undefined : `${readme}.md`
}

/** The pages that the documents make, and the files that they show. */
export const from = (documents: ReadonlyArray<Document>) => {
  const files = new Map<string, string>()
  const pages = documents.flatMap(({ path: source }): ReadonlyArray<Page> => {
    const path = pathOf(source)
    if (path === undefined) return []
    const text = readFileSync(join(Repository.root, source), "utf8")
    const place = (href: string, isImage: boolean): string => {
      const [target, fragment] = targetOf(source, href)
      if (target === undefined) return href
      const page = pathOf(target)
      if (page !== undefined && extname(target) === ".md") return `/${page}${fragment}`
      if (!isImage) return `${Repository.tree}${target}${fragment}`
      files.set(target, join(dirname(path), target))
      const narrow = narrowOf(target)
      if (existsSync(join(Repository.root, narrow))) files.set(narrow, join(dirname(path), narrow))
      return `./${target}`
    }
    return [{ path, source, markdown: withLinks(withoutSources(withoutComments(text)), place) }]
  })
  return { pages, files }
}

/** The file of the repository that a link leads to, and the rest of the link. */
const targetOf = (source: string, href: string): readonly [target: string | undefined, fragment: string] => {
  const isInTree = href.startsWith(Repository.tree)
  if (href.startsWith("#") || (!isInTree && /^[a-z]+:/.test(href))) return [undefined, ""]
  const [path = "", fragment] = href.replace(Repository.tree, "").split("#")
  const target = normalize(join(isInTree ? "" : dirname(source), path))
  const file = existsSync(join(Repository.root, target, "README.md")) ? join(target, "README.md") : target
  return [file, fragment === undefined ? "" : `#${fragment}`]
}

/** The picture that a phone shows instead of one. */
export const narrowOf = (picture: string): string => picture.replace(/\.svg$/, "-narrow.svg")

/** A code block or span, or the target of a link, whose text may be a picture. */
const parts = /^(`{3,})[^]*?^\1$|`[^`\n]*`|(!?)\[((?:`[^`]*`|!\[[^\]]*\]\([^)]*\)|[^\]`])*)\]\(([^)\s]+)\)/gm

const withLinks = (markdown: string, place: (href: string, isImage: boolean) => string): string =>
  markdown.replace(parts, (all, _fence, mark: string | undefined, text: string, href: string | undefined) =>
    href === undefined ? all : `${mark}[${withLinks(text, place)}](${place(href, mark === "!")})`,
  )

/** Comments are for people who edit a document. */
const withoutComments = (markdown: string): string => markdown.replaceAll(/^<!--[^]*?-->\n/gm, "")

/** On GitHub, HTML says which picture a phone shows; on the site, the renderer does. */
const withoutSources = (markdown: string): string =>
  markdown.replaceAll(/<picture><source [^>]*>(!\[[^\]]*\]\([^)]*\))<\/picture>/g, "$1")
