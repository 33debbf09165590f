/** Bundles the program into one file that runs with nothing beside it: `dist/transfers.cjs`. */
import { build } from "esbuild"

await build({
  entryPoints: [new URL("../src/bin.ts", import.meta.url).pathname],
  outfile: new URL("../dist/transfers.cjs", import.meta.url).pathname,
  bundle: true,
  platform: "node",
  target: "node22.19",
  format: "cjs",
  minify: true,
  legalComments: "none",
})
