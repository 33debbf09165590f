/** Writes `dist/transfers.cjs`. */
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"

await bundle(fileURLToPath(new URL("../dist/transfers.cjs", import.meta.url)))
