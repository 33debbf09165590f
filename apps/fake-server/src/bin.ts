#!/usr/bin/env node
/** The executable. Caches compiled sources, which take most of the time to start. */
import * as module from "node:module"
import * as path from "node:path"

if (import.meta.filename.endsWith(".ts")) {
  module.enableCompileCache(path.join(import.meta.dirname, "../node_modules/.cache/compiled"))
}
const { main } = await import("./Main.ts")
main()
