/** A server of the transfer search in its own process: ours, or one written by hand. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FreePort from "../../scripts/FreePort.ts"
import * as SearchData from "./SearchData.ts"
import * as ServerProcess from "./ServerProcess.ts"

/** How a server is started, and how it is asked for the first page of a range. */
export interface SearchServer {
  readonly command: (port: number, rows: number, folder: string) => ReadonlyArray<string>
  readonly path: (window: SearchData.Window) => string
  readonly results: (body: unknown) => ReadonlyArray<{ readonly id: string }>
}

export const headers = { authorization: `Basic ${btoa("demo:demo-secret")}` }
const root = join(import.meta.dirname, "../..")

export const searchPath = ({ from, to }: SearchData.Window): string =>
  `/v1/transfers/search?created_at=${encodeURIComponent(`gte:${from}`)}&created_at=${encodeURIComponent(`lt:${to}`)}&limit=20`

export const resultsOf = (body: unknown): ReadonlyArray<{ readonly id: string }> =>
  (body as { readonly results: ReadonlyArray<{ readonly id: string }> }).results

export const byHand = (framework: "constant" | "fastify" | "hono"): SearchServer => ({
  command: (port, rows, folder) => {
    if (rows === 1000) writeFileSync(join(folder, "rows.json"), JSON.stringify(SearchData.rows(rows)))
    const file = join(import.meta.dirname, "peers/hand-server.mjs")
    return [process.execPath, file, framework, String(port), rows === 1000 ? "rows.json" : String(rows)]
  },
  path: searchPath,
  results: resultsOf,
})

/** The fake server, built. */
export const ours: SearchServer = {
  command: (port, rows) => [
    process.execPath,
    join(root, "apps/fake-server/dist/bin.js"),
    "--port",
    String(port),
    "--transfers",
    String(rows),
    "--now",
    "2025-01-01",
    "--order",
    "oldest-first",
  ],
  path: searchPath,
  results: resultsOf,
}

/** Starts a server and waits for its first page. */
export const launch = async (server: SearchServer, rows: number, folder: string) => {
  const port = await FreePort.find()
  const [file = "", ...args] = server.command(port, rows, folder)
  const start = performance.now()
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "inherit"], cwd: folder })
  const running = ServerProcess.running(child, `http://127.0.0.1:${port}`)
  const [first] = SearchData.windows(Math.min(rows, 1000))
  const url = running.url + server.path(first ?? { from: "", to: "" })
  for (;;) {
    const status = await fetch(url, { headers }).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    )
    if (status === 200) return { running, startUp: running.cost().cpu * 1000 }
    const waited = performance.now() - start
    if (child.exitCode !== null || waited > 120_000) {
      child.kill("SIGKILL")
      throw new Error(`${file} ${args.join(" ")} sent no page in ${Math.round(waited)} ms`)
    }
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
}

/** A folder for the time that something is done in it. */
export const inFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-bench-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
