/** A registry on this machine, for as long as it is used: Verdaccio on a free port, in a folder of its own. */
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FreePort from "../FreePort.ts"

/** A running registry. Disposing it ends its process. */
export interface LocalRegistry extends AsyncDisposable {
  readonly url: string
  /** The `.npmrc` of a project whose packages of ours come from here. Other packages come from where they always do. */
  readonly npmrc: string
}

/** Starts one that keeps its packages in a new folder, which must not exist. */
export const start = async (folder: string): Promise<LocalRegistry> => {
  const port = await FreePort.find()
  mkdirSync(folder)
  const config = {
    storage: join(folder, "storage"),
    uplinks: {},
    packages: { "@transferkit/*": { access: "$all", publish: "$all" } },
    max_body_size: "50mb",
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "error" },
  }
  // JSON is YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config))
  const program = join(import.meta.dirname, "node_modules/verdaccio/bin/verdaccio")
  const child = spawn(
    process.execPath,
    [program, "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    },
  )
  // However this process ends.
  process.once("exit", () => child.kill())
  const exited = new Promise<never>((_, reject) =>
    child.once("exit", (code) => reject(new Error(`the registry ended with ${code}`))),
  )
  exited.catch(() => undefined)
  const url = `http://127.0.0.1:${port}`
  await Promise.race([exited, listening(`${url}/-/ping`)])
  return {
    url,
    npmrc: `@transferkit:registry=${url}/\n//127.0.0.1:${port}/:_authToken=anyone\n`,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await exited.catch(() => undefined)
    },
  }
}

const listening = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    // A connection that is kept would be dead once the packages are published.
    const isUp = await fetch(url, { headers: { connection: "close" } }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => void setTimeout(resolve, 100))
  }
  throw new Error("the registry does not respond")
}
