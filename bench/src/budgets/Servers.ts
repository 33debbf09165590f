/** Servers of the `servers` benchmark under callgrind, asked for the first page of changing ranges. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SearchData from "../SearchData.ts"
import * as Callgrind from "./Callgrind.ts"

const root = join(import.meta.dirname, "../../..")

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })

type Name = "fake" | "fastify" | "constant"

const commandOf = (name: Name, rows: number, port: number, file: string): ReadonlyArray<string> => {
  if (name !== "fake") return [join(import.meta.dirname, "../peers/hand-server.mjs"), name, String(port), file]
  const bin = join(root, "apps/fake-server/dist/bin.js")
  return [bin, "--port", String(port), "--transfers", String(rows), "--order", "oldest-first"]
}

const pathOf = ({ from, to }: SearchData.Window): string =>
  `/v1/transfers/search?created_at=${encodeURIComponent(`gte:${from}`)}&created_at=${encodeURIComponent(`lt:${to}`)}&limit=20`

/** The status of an answer whose body has been read; 0 where there is no answer. */
const statusOf = (agent: Agent, port: number, path: string): Promise<number> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path, agent, auth: "demo:demo-secret" }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0))
    }).on("error", () => resolve(0))
  })

/** The instructions that a server executes for a page of 20 transfers. */
export const instructions = async (name: Name, rows: number): Promise<number> => {
  const paths = SearchData.windows(rows).map(pathOf)
  const folder = mkdtempSync(join(tmpdir(), "transferkit-budgets-"))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const port = await freePort()
  const file = join(folder, "rows.json")
  if (name !== "fake") writeFileSync(file, JSON.stringify(SearchData.rows(rows)))
  const waitForIt = async (): Promise<void> => {
    for (let tries = 0; (await statusOf(agent, port, paths[0] ?? "")) !== 200; tries++) {
      if (tries > 600) throw new Error(`${name} sends no page`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  let asked = 0
  try {
    return await Callgrind.ofServer({
      command: commandOf(name, rows, port, file),
      cwd: folder,
      warmUp: 2000,
      times: 200,
      ask: async (times) => {
        if (asked === 0) await waitForIt()
        for (let time = 0; time < times; time++) {
          const status = await statusOf(agent, port, paths[asked++ % paths.length] ?? "")
          if (status !== 200) throw new Error(`${name} answers ${status}`)
        }
      },
    })
  } finally {
    agent.destroy()
    rmSync(folder, { recursive: true })
  }
}
