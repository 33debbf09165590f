/** `pnpm docs:transcript`: records the README's transcript again. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "./Repository.ts"
import * as Transcript from "./Transcript.ts"

const file = join(Repository.root, "README.md")
const markdown = readFileSync(file, "utf8")
writeFileSync(file, Transcript.replace(markdown, await Transcript.record(Transcript.find(markdown))))
