/** The Promise client in runtimes that are not Node: bundled by a common bundler, and run in workerd and in Chromium. */
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "vite"
import type { Consumer } from "./Consumer.ts"

/** A service to run against. */
export interface Service {
  readonly url: string
}

const bundle = async ({ folder }: Consumer, entry: string): Promise<string> => {
  const outDir = join(folder, "out", entry)
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      outDir,
      lib: { entry: join(folder, entry), formats: ["es"], fileName: "bundle" },
      minify: true,
      // One file, what is loaded later included.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const text = readFileSync(join(outDir, "bundle.js"), "utf8")
  if (/\bfrom\s*["']|\bimport\s*["'(]/.test(text)) throw new Error(`the bundle of ${entry} imports something`)
  return text
}

/** The gzipped size of everything that the client brings to a page. */
export const gzippedSize = async (consumer: Consumer): Promise<number> =>
  gzipSync(await bundle(consumer, "page.js"), { level: 9 }).length

/** Counts the transfers of a service in workerd, by the worker of examples/edge-worker. */
export const countInWorkerd = async (consumer: Consumer, service: Service): Promise<number> => {
  writeFileSync(join(consumer.folder, "worker.mjs"), await bundle(consumer, "worker.js"))
  writeFileSync(
    join(consumer.folder, "workerd.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-01-01",
  bindings = [
    (name = "TRANSFERS_BASE_URL", text = "${service.url}"),
    (name = "TRANSFERS_PARTNER_ID", text = "demo"),
    (name = "TRANSFERS_SECRET_KEY", text = "demo-secret"),
  ],
);
`,
  )
  const program = join(import.meta.dirname, "node_modules/workerd/bin/workerd")
  const child = spawn(program, ["serve", "workerd.capnp", "--control-fd=3"], {
    cwd: consumer.folder,
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  })
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`workerd ended with ${code}`)))
      child.stdio[3]?.on("data", (text) => {
        const event = JSON.parse(String(text).split("\n")[0] ?? "{}")
        if (event.event === "listen") resolve(event.port)
      })
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    if (!response.ok) throw new Error(`workerd responded with ${response.status} ${await response.text()}`)
    return Object(await response.json()).transfers
  } finally {
    child.kill()
  }
}

/** Counts the transfers of a service in a page, which one server serves with the service, so that they share an origin. */
export const countInChromium = async (consumer: Consumer, service: Service): Promise<number> => {
  const script = await bundle(consumer, "page.js")
  let report: (text: string) => void
  const reported = new Promise<string>((resolve) => (report = resolve))
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === "/result") {
      incoming.setEncoding("utf8").on("data", report)
      outgoing.end()
      return
    }
    if (incoming.url === "/") {
      outgoing.setHeader("content-type", "text/html; charset=utf-8").end(`<script type="module">${script}</script>`)
      return
    }
    const { authorization } = incoming.headers
    if (authorization === undefined) {
      outgoing.writeHead(404).end()
      return
    }
    request(`${service.url}${incoming.url}`, { headers: { authorization } }, (from) => {
      outgoing.writeHead(from.statusCode ?? 502, from.headers)
      from.pipe(outgoing)
    }).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${join(consumer.folder, "profile")}`]
  const child = spawn("chromium", [...flags, `http://127.0.0.1:${port}/`], { stdio: "ignore" })
  const stop = (): void => void child.kill("SIGKILL")
  process.once("exit", stop)
  try {
    const late = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error("the page reports nothing")), 90_000)
      child.once("error", reject)
      void reported.finally(() => clearTimeout(timer))
    })
    const text = await Promise.race([reported, late])
    if (!/^\d+$/.test(text)) throw new Error(`the page reports ${text}`)
    return Number(text)
  } finally {
    child.kill()
    server.closeAllConnections()
    server.close()
  }
}
