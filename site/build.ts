/** Lays out the site's pages in `dist/pages`, from which VitePress builds it: documents, and what is generated. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Documents from "../scripts/Documents.ts"
import * as Repository from "../scripts/Repository.ts"
import * as Api from "./Api.ts"
import * as Pages from "./Pages.ts"
import * as Reference from "./Reference.ts"

const folder = join(import.meta.dirname, "dist/pages")

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

rmSync(folder, { recursive: true, force: true })
const { pages, files } = Pages.from(Documents.read(Repository.root))
const openApi = Reference.openApi()
for (const { path, markdown } of [...pages, ...(await Reference.help()), openApi.page, ...(await Api.pages())])
  write(path, markdown)
for (const [source, target] of files) cpSync(join(Repository.root, source), join(folder, target))
write("public/openapi.json", openApi.json)
