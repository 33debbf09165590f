#!/usr/bin/env node
/** The executable. From its sources, most of a start is compiling them; what comes of that is kept for the next one. */
import * as module from "node:module"
import * as path from "node:path"

if (import.meta.filename.endsWith(".ts")) {
  module.enableCompileCache(path.join(import.meta.dirname, "../node_modules/.cache/compiled"))
}
const { main } = await import("./Main.ts")
main()
