/** Whether a result fits into the response of the invocation. */
import * as Result from "effect/Result"
import type { InvocationEvent } from "./InvocationEvent.ts"
import { TooLarge } from "./RequestBody.ts"

/** Fails with {@link TooLarge} if the result is larger than the caller can receive. */
export const check = (event: InvocationEvent, result: unknown): Result.Result<void, TooLarge> => {
  const body = JSON.stringify(result)
  // Over HTTP the body is a text in the JSON that the function returns.
  const size = Buffer.byteLength(event._tag === "Http" ? JSON.stringify(body) : body)
  const allowed =
    event._tag === "Http" && event.integration === "load-balancer" ? maxBytes.loadBalancer : maxBytes.lambda
  return size <= allowed
    ? Result.void
    : Result.fail(new TooLarge({ found: `a result of ${size} bytes`, allowed: `${allowed} bytes` }))
}

/** The limits of AWS, less what surrounds the body. */
const maxBytes = { loadBalancer: 1_000_000, lambda: 6_000_000 }
