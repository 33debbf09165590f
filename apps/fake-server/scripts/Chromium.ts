/** The Chromium of this machine, without its window. */
import * as fs from "node:fs"
import { type Browser, launch } from "puppeteer-core"

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Starts it. Fails with the way to install it. */
export const start = (): Promise<Browser> => {
  const executablePath = paths.find((path) => fs.existsSync(path))
  if (executablePath === undefined) {
    throw new Error(`There is no Chromium at ${paths.join(" or ")}: apt-get install chromium`)
  }
  return launch({ executablePath, args: ["--no-sandbox"] })
}
