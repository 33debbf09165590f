/** The repository's Markdown documents, parsed into the parts that can be checked: links, code spans, code blocks. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Token, type Tokens, lexer, walkTokens } from "marked"

/** A fenced block. `info` is what follows the fence, `output` is the `text` block that follows directly. */
export interface CodeBlock {
  readonly info: string
  readonly text: string
  readonly output: string | undefined
}

/** One document. `path` is relative to the root of the repository. */
export interface Document {
  readonly path: string
  readonly links: ReadonlyArray<string>
  readonly anchors: ReadonlyArray<string>
  readonly spans: ReadonlyArray<string>
  readonly blocks: ReadonlyArray<CodeBlock>
}

/** All Markdown documents of the repository. Changelogs are left out, as they describe the past, and so are API reports. */
export const read = (root: string): ReadonlyArray<Document> =>
  globSync("{**,.changeset}/*.md", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist" || name === "golden" || name === "fixtures",
  })
    .filter((path) => !/(?:^|\/)(?:CHANGELOG|api)\.md$/.test(path))
    .sort()
    .map((path) => parse(path, readFileSync(join(root, path), "utf8")))

/** Parses one document. */
export const parse = (path: string, markdown: string): Document => {
  const tokens = lexer(markdown)
  const links: Array<string> = []
  const anchors: Array<string> = []
  const spans: Array<string> = []
  walkTokens(tokens, (token) => {
    if (token.type === "link" || token.type === "image") links.push(token["href"])
    if (token.type === "heading") anchors.push(anchorOf(token["text"]))
    if (token.type === "codespan") spans.push(token["text"])
  })
  return { path, links, anchors, spans, blocks: blocksOf(tokens) }
}

const blocksOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<CodeBlock> => {
  const visible = tokens.filter((token) => token.type !== "space")
  return visible.flatMap((token, index) => {
    if (isList(token)) return token.items.flatMap((item) => blocksOf(item.tokens))
    if (token.type === "blockquote") return blocksOf(token.tokens ?? [])
    if (token.type !== "code") return []
    const next = visible[index + 1]
    const output = next?.type === "code" && next["lang"] === "text" ? String(next["text"]) : undefined
    return [{ info: token["lang"] ?? "", text: token["text"], output }]
  })
}

const isList = (token: Token): token is Tokens.List => token.type === "list"

/** The fragment that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")
