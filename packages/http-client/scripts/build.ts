/** `pnpm build`, once the sources are compiled. */
import { fileURLToPath } from "node:url"
import { bundle, bundleCommonJs } from "./Bundle.ts"

const dist = fileURLToPath(new URL("../dist", import.meta.url))
await bundle(`${dist}/bundled`)
await bundleCommonJs(dist, `${dist}/commonjs`)
