/** The bundle's entry: the handler, set up from the environment. */
import * as Result from "effect/Result"
import * as Handler from "./Handler.ts"
import * as Settings from "./Settings.ts"

/** Set as the function's handler: `lambda.handler`. */
export const handler: Handler.Handler = Handler.make({
  settings: Result.getOrThrow(Settings.parse(process.env)),
  write: (line) => process.stdout.write(line),
})
