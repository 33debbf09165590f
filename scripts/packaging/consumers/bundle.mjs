/**
 * Bundles count.mjs of a folder and one error of the client with common bundlers: `bundle.mjs FOLDER` writes
 * `out/BUNDLER/main.mjs`, and prints the bytes that the error brings by each.
 */
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { nodeResolve } from "@rollup/plugin-node-resolve"
import { build } from "esbuild"
import { rollup } from "rollup"
import webpack from "webpack"

const bundlers = {
  esbuild: (entry, outdir) =>
    build({
      entryPoints: { main: entry },
      bundle: true,
      minify: true,
      splitting: true,
      format: "esm",
      platform: "node",
      outExtension: { ".js": ".mjs" },
      outdir,
      logLevel: "error",
    }),
  rollup: async (entry, dir) => {
    const plugins = [nodeResolve({ exportConditions: ["node"] })]
    const bundle = await rollup({ input: { main: entry }, plugins, external: /^node:/ })
    await bundle.write({ dir, format: "es", entryFileNames: "[name].mjs" })
  },
  webpack: (entry, path) =>
    new Promise((resolve, reject) =>
      webpack(
        {
          mode: "production",
          target: "node22.19",
          entry,
          experiments: { outputModule: true },
          output: { path, filename: "main.mjs", module: true, library: { type: "module" } },
        },
        (error, stats) => (error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()),
      ),
    ),
}

const [folder] = process.argv.slice(2)
const oneError = join(folder, "oneError.mjs")
writeFileSync(oneError, 'export { RateLimited } from "@transferkit/http-client/promise"\n')
for (const [name, bundle] of Object.entries(bundlers)) {
  await bundle(join(folder, "count.mjs"), join(folder, "out", name))
  const error = join(folder, "out", `${name}-error`)
  await bundle(oneError, error)
  const { RateLimited } = await import(pathToFileURL(join(error, "main.mjs")))
  console.log(`${name} ${statSync(join(error, "main.mjs")).size} ${RateLimited.name}`)
}
