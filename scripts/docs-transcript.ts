/** `pnpm docs:transcript`: records the terminal in the README again. */
import { writeFileSync } from "node:fs"
import * as Transcript from "./Transcript.ts"

writeFileSync(Transcript.file, await Transcript.record())
