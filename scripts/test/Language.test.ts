/** The words of sources and documents: a person or a module does something, in the term engineers use. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"

const files = Repository.files(Repository.root)
const read = (file: string): string => readFileSync(join(Repository.root, file), "utf8")

/** A term for each: reject, report, notify, receive, fix; or the subject that acts. */
const banned =
  /\bthat nobody\b|\bnobody (?:is|has|can|will|asked)\b|\btold (?:otherwise|to|that|how|why|what|apart|from|of|so|by)\b|\/\*\* Told\b|\b(?:is|are) no news\b|\bwhat (?:becomes|became) of\b|\bfor want of\b|\bto mend\b|\banswers? all the same\b/i

const sources = files.filter(
  (file) =>
    /^(?:apps|packages)\/[^/]+\/(?:src|test)\/.*\.tsx?$|^(?:docs|examples|deploy)\/.*\.md$|README\.md$/.test(file) &&
    // The list of mutants names lines of sources as they were.
    file !== "docs/quality.md",
)

it("says who does what, in engineers' terms", () => {
  expect(sources.length).toBeGreaterThan(500)
  const found = sources.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, index) => (banned.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

it.each([
  "a file that nobody writes",
  "unless told otherwise",
  "what became of it",
  "It is told why",
  "/** Told of each request. */",
])("rejects: %s", (text) => expect(banned.test(text)).toBe(true))

/** The paragraphs of a document, without code, lists, tables and headings. */
const paragraphs = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/^```.*?^```$/gms, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.))/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "" && !/^(?:[-*|#<>]|\d+\.)/.test(paragraph))

const wordsOf = (paragraph: string): number => paragraph.split(/\s+/).length

it("keeps the paragraphs of a README within 100 words", () => {
  const readmes = files.filter((file) => /(?:^|\/)README\.md$/.test(file))
  expect(readmes.length).toBeGreaterThan(15)
  const long = readmes.flatMap((file) =>
    paragraphs(read(file)).flatMap((paragraph) =>
      wordsOf(paragraph) > 100 ? [`${file}, ${wordsOf(paragraph)} words: ${paragraph.slice(0, 60)}`] : [],
    ),
  )
  expect(long).toEqual([])
})
