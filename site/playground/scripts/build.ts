/** `node apps/playground/scripts/build.ts`: the page, in `dist/www`. */
import * as path from "node:path"
import * as Bundle from "./Bundle.ts"

await Bundle.write(path.join(import.meta.dirname, "../dist/www"))
