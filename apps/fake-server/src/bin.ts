#!/usr/bin/env node
/** The executable. Caches compiled sources, which take most of the time to start. */
import * as module from "node:module"
import * as path from "node:path"
import * as ProxyTunnel from "@transferkit/http-api/ProxyTunnel"
import manifest from "../package.json" with { type: "json" }

const needed = manifest.engines.node.replace(">=", "")
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number)
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(`error: transfers-fake needs Node ${needed} or later, and this is ${process.versions.node}.\n`)
  process.exit(2)
}

const proxyFault = ProxyTunnel.faultOf(process.env)
if (proxyFault !== undefined) {
  process.stderr.write(`error: ${proxyFault}.\n`)
  process.exit(2)
}

if (import.meta.filename.endsWith(".ts")) {
  module.enableCompileCache(path.join(import.meta.dirname, "../node_modules/.cache/compiled"))
}
const { main } = await import("./Main.ts")
main()
