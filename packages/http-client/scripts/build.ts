/** `pnpm build`, once the sources are compiled. */
import { fileURLToPath } from "node:url"
import { bundle } from "./Bundle.ts"

await bundle(fileURLToPath(new URL("../dist/bundled", import.meta.url)))
