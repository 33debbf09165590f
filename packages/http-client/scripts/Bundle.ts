/** The Promise client as files that need no Effect, one for Node and one for all other runtimes. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions } from "esbuild"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"

const library = fileURLToPath(new URL("..", import.meta.url))

const shared = {
  absWorkingDir: library,
  entryPoints: ["src/promise.ts"],
  bundle: true,
  format: "esm",
  target: "es2023",
  // Its values are part of the interface: a program shares them.
  external: ["decimal.js"],
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
} as const satisfies BuildOptions

/** Writes `node.js`, `web.js` and the notices. They are not minified: their lines are in stack traces. */
export const bundle = async (folder: string): Promise<void> => {
  const { metafile } = await build({ ...shared, platform: "node", outfile: join(folder, "node.js") })
  await build({ ...shared, platform: "neutral", mainFields: ["module", "main"], outfile: join(folder, "web.js") })
  await writeFile(join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make(metafile, library))
}
