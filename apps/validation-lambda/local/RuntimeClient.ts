/** The program between the Runtime API and a handler: AWS's own if it has been built, or a plain substitute. */
import { existsSync } from "node:fs"

/** Node's arguments to run a handler. */
export interface RuntimeClient {
  readonly name: "aws-lambda-ric" | "plain"
  readonly arguments: ReadonlyArray<string>
}

/** The folder of AWS's client, which `pnpm lambda:runtime` builds. */
export const folder: string = new URL("../node_modules/.cache/lambda-runtime", import.meta.url).pathname

const ric = `${folder}/node_modules/aws-lambda-ric`

/** Ours: the bare protocol, without a compiler. */
export const plain: RuntimeClient = {
  name: "plain",
  arguments: [new URL("plainRuntime.mjs", import.meta.url).pathname],
}

/** AWS's, which runs functions on AWS. `undefined` if it has not been built here. */
export const aws: RuntimeClient | undefined = existsSync(`${ric}/rapid-client.node`)
  ? { name: "aws-lambda-ric", arguments: [`${ric}/index.mjs`] }
  : undefined
