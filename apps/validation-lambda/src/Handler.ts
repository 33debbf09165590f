/** The function that Lambda calls, over services that live as long as the process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { toError } from "./Failure.ts"
import * as Invocation from "./Invocation.ts"

/** A handler as Lambda calls it. */
export type Handler = (event: unknown, context: Invocation.InvocationContext) => Promise<unknown>

/** Builds the services at once, and throws an error named by its tag if that fails, such as `InvalidSettings`. */
export const make = <E extends { readonly _tag: string; readonly message: string }>(
  layer: Layer.Layer<Invocation.Services, E>,
): Handler => {
  const services = Layer.buildWithScope(layer, Scope.makeUnsafe())
  const runPromise = Effect.runPromiseWith(Effect.runSync(Effect.mapError(services, toError)))
  let isCold = true
  return (event, context) => {
    const invocation = Invocation.run(event, { context, isCold })
    isCold = false
    return runPromise(invocation)
  }
}
