/** The fake service in a process of its own. */
import { join } from "node:path"
import { inFolder } from "./SearchServer.ts"
import * as ServerProcess from "./ServerProcess.ts"

const fake = join(import.meta.dirname, "../../apps/fake-server/dist/bin.js")

/**
 * Uses the service with so many transfers, which takes so many milliseconds for a page, an empty folder, and the
 * environment in which commands call the service.
 */
export const withService = <A>(
  count: number,
  use: (folder: string, env: NodeJS.ProcessEnv) => Promise<A>,
  latency = 0,
): Promise<A> =>
  inFolder(async (folder) => {
    await using service = await ServerProcess.startJson(fake, [
      "--port",
      "0",
      "--json",
      "--now",
      "2025-01-01",
      "--transfers",
      String(count),
      ...(latency === 0 ? [] : ["--latency", `${latency}ms`]),
    ])
    const env = {
      TRANSFERS_BASE_URL: service.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    }
    return await use(folder, env)
  })
