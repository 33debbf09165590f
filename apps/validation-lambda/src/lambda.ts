/** The bundle's entry. Set as the function's handler: `lambda.handler`. */
import * as Handler from "./Handler.ts"
import * as Wiring from "./Wiring.ts"

export const handler: Handler.Handler = Handler.make(Wiring.layer)
