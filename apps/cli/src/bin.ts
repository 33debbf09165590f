#!/usr/bin/env node
/** The executable. It answers `--version` by itself and loads the rest only when there is something to do. */
import manifest from "../package.json" with { type: "json" }

const args = process.argv.slice(2)

if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  process.stdout.write(`transfers ${manifest.version}\n`)
} else {
  void import("./Main.ts").then(({ main }) => main(args, manifest.version))
}
