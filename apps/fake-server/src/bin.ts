#!/usr/bin/env node
/** The executable. Started from its sources, most of the time goes into compiling them, so that is kept for next time. */
import * as module from "node:module"

module.enableCompileCache()
await import("./Main.ts")
