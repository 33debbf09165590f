/** The function that Lambda calls, over services that live as long as the process. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { toError } from "./Failure.ts"
import * as Invocation from "./Invocation.ts"

/** A handler as Lambda calls it. */
export type Handler = (event: unknown, context: Invocation.InvocationContext) => Promise<unknown>

/** Builds the services at once, and throws an error named by its tag if that fails, such as `InvalidSettings`. */
export const make = <E extends { readonly _tag: string; readonly message: string }>(
  layer: Layer.Layer<Invocation.Services, E>,
): Handler => {
  const runtime = ManagedRuntime.make(layer)
  const runPromise = Effect.runPromiseWith(Effect.runSync(Effect.mapError(runtime.contextEffect, toError)))
  let isCold = true
  return (event, context) => {
    const invocation = Invocation.run(event, { context, isCold })
    isCold = false
    return runPromise(invocation)
  }
}
