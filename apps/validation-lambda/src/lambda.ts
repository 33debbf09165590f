/** The bundle's entry: the handler, set up from the environment. */
import * as Result from "effect/Result"
import { toError } from "./Failure.ts"
import * as Handler from "./Handler.ts"
import * as Settings from "./Settings.ts"

/** Set as the function's handler: `lambda.handler`. */
export const handler: Handler.Handler = Handler.make({
  settings: Result.getOrThrowWith(Settings.parse(process.env), toError),
  write: (line) => process.stdout.write(line),
})
