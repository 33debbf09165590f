/** `pnpm build`. */
import * as path from "node:path"
import { build } from "./Bundle.ts"

await build(path.join(import.meta.dirname, "../dist"))
