/** The arguments of a script: those of Node's `parseArgs`, whose errors end the process with 2 and the usage, in two lines. */
import { type ParseArgsConfig, parseArgs } from "node:util"

/** Reads them as `config` says. `usage` is one line. */
export const read = <C extends ParseArgsConfig>(usage: string, config: C): ReturnType<typeof parseArgs<C>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    return reject(usage, error instanceof Error ? error.message : String(error))
  }
}

/** Ends the process: an argument means nothing. */
export const reject = (usage: string, reason: string): never => {
  console.error(`${reason}\nUsage: ${usage}`)
  return process.exit(2)
}
