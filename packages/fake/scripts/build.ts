/**
 * `pnpm build`, once the sources are compiled: the fake for `require`, as a CommonJS program or Jest without a flag needs
 * it. Its types are those of the ES module.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import * as ThirdPartyNotices from "../../../scripts/ThirdPartyNotices.ts"

const library = fileURLToPath(new URL("..", import.meta.url))
const folder = join(library, "dist/commonjs")

mkdirSync(folder, { recursive: true })
const { metafile } = await build({
  absWorkingDir: library,
  stdin: { contents: 'export { startFakeServer } from "./src/FakeServer.ts"', resolveDir: library },
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node22.19",
  // Installed with the package, and both can be required.
  external: ["@peculiar/x509", "reflect-metadata", "effect/http-api/HttpApiScalar"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  outfile: join(folder, "FakeServer.js"),
})
writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), ThirdPartyNotices.make(metafile, library))
writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n')
writeFileSync(
  join(folder, "FakeServer.d.ts"),
  `import type * as Fake from "../FakeServer.js" with { "resolution-mode": "import" };
export type Controls = Fake.Controls;
export type RunningFakeServer = Fake.RunningFakeServer;
/** Starts a fake. The module for \`import\` has more: the layer for programs on Effect. */
export declare const startFakeServer: typeof Fake.startFakeServer;
`,
)
