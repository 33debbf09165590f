/** Servers of the `servers` benchmark under callgrind, with requests for the first page of changing ranges. */
import { Agent, get } from "node:http"
import * as FreePort from "../../../scripts/FreePort.ts"
import * as SearchData from "../SearchData.ts"
import { byHand, inFolder, ours } from "../SearchServer.ts"
import type { Serving } from "./Budget.ts"
import * as Callgrind from "./Callgrind.ts"

/** The status of a response whose body has been read; 0 if there is no response. */
const statusOf = (agent: Agent, port: number, path: string): Promise<number> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path, agent, auth: "demo:demo-secret" }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0))
    }).on("error", () => resolve(0))
  })

/** The instructions that a server executes for a page of 20 transfers. */
export const instructions = ({ server: name, rows, isFirst = false }: Serving): Promise<number> =>
  inFolder(async (folder) => {
    const server = name === "fake" ? ours : byHand(name)
    const windows = SearchData.windows(rows)
    const pathOf = (n: number): string => {
      const window = isFirst ? SearchData.freshWindow(rows, n) : windows[n % windows.length]
      return server.path(window ?? { from: "", to: "" })
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const port = await FreePort.find()
    const [, ...command] = server.command(port, rows, folder)
    const waitForIt = async (): Promise<void> => {
      for (let tries = 0; (await statusOf(agent, port, pathOf(0))) !== 200; tries++) {
        if (tries > 1800) throw new Error(`${name} sends no page`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    let asked = 0
    try {
      return await Callgrind.ofServer({
        command,
        cwd: folder,
        warmUp: 2000,
        times: 200,
        ask: async (times) => {
          if (asked === 0) await waitForIt()
          for (let time = 0; time < times; time++) {
            const status = await statusOf(agent, port, pathOf(++asked))
            if (status !== 200) throw new Error(`${name} answers ${status}`)
          }
        },
      })
    } finally {
      agent.destroy()
    }
  })
