/** The program between the Runtime API and a handler: AWS's own, where it has been built, or a plain stand-in. */
import { existsSync } from "node:fs"

/** How Node is to be started so that it runs a handler. */
export interface RuntimeClient {
  readonly name: "aws-lambda-ric" | "plain"
  readonly arguments: ReadonlyArray<string>
}

/** Where `pnpm lambda:runtime` puts AWS's client. */
export const folder: string = new URL("../node_modules/.cache/lambda-runtime", import.meta.url).pathname

const ric = `${folder}/node_modules/aws-lambda-ric`

/** Ours: it does what the protocol asks for and no more, and needs no compiler. */
export const plain: RuntimeClient = {
  name: "plain",
  arguments: [new URL("plainRuntime.mjs", import.meta.url).pathname],
}

/** AWS's, which on AWS runs the function. `undefined` where it has not been built here. */
export const aws: RuntimeClient | undefined = existsSync(`${ric}/rapid-client.node`)
  ? { name: "aws-lambda-ric", arguments: [`${ric}/index.mjs`] }
  : undefined
