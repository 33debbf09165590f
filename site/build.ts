/** Lays out the site's pages in `dist/pages`, from which VitePress builds it: documents, and what is generated. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Documents from "../scripts/Documents.ts"
import * as Repository from "../scripts/Repository.ts"
import * as Api from "./Api.ts"
import * as Landing from "./Landing.ts"
import * as LanguageModels from "./LanguageModels.ts"
import * as Pages from "./Pages.ts"
import * as Playground from "./playground/scripts/Bundle.ts"
import * as Reference from "./Reference.ts"

const folder = join(import.meta.dirname, "dist/pages")

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

rmSync(folder, { recursive: true, force: true })
const { pages, files } = Pages.from(Documents.read(Repository.root))
const openApi = Reference.openApi()
const all = [...pages, ...(await Reference.help()), openApi.page, ...(await Api.pages())]
for (const { path, markdown, source } of all) {
  const landing = path === "index.md" ? Landing.of(markdown) : undefined
  // JSON is YAML.
  const frontmatter = {
    ...landing?.frontmatter,
    ...(source === undefined ? { editLink: false } : { source }),
    ...(path.startsWith("api/") && { pageClass: "api" }),
  }
  write(path, `---\n${JSON.stringify(frontmatter)}\n---\n\n${landing?.markdown ?? markdown}`)
}
// VitePress copies what is in `public` as it is.
for (const { path, text } of LanguageModels.files(all)) write(`public/${path}`, text)
for (const [source, target] of files) cpSync(join(Repository.root, source), join(folder, target))
write("public/openapi.json", openApi.json)
await Playground.write(join(folder, "public/playground"))
