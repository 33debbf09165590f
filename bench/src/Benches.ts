/** The benchmarks by name. A benchmark is loaded when it is asked for: its peers may be slow to import. */
import { pathToFileURL } from "node:url"
import type { Bench } from "./Bench.ts"

const modules: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  decode: () => import("./benches/decode.ts"),
  money: () => import("./benches/money.ts"),
  "created-at": () => import("./benches/created-at.ts"),
  clients: () => import("./benches/clients.ts"),
  scan: () => import("./benches/scan.ts"),
  servers: () => import("./benches/servers.ts"),
  growth: () => import("./benches/growth.ts"),
  cli: () => import("./benches/cli.ts"),
  reconcile: () => import("./benches/reconcile.ts"),
  mirror: () => import("./benches/mirror.ts"),
  workers: () => import("./benches/workers.ts"),
  "reconcile-million": () => import("./benches/reconcile-million.ts"),
  "reconcile-large": () => import("./benches/reconcile-large.ts"),
  lambda: () => import("./benches/lambda.ts"),
}

/** All names, in the order of the report. */
export const names: ReadonlyArray<string> = Object.keys(modules)

/** Loads one benchmark: of those here by its name, any other by the path of its file. */
export const load = async (name: string): Promise<Bench> => {
  const module = name.endsWith(".ts") ? () => import(pathToFileURL(name).href) : modules[name]
  if (module === undefined) throw new Error(`No benchmark ${name}. There are: ${names.join(", ")}.`)
  return (await module()).bench
}
