/** Why an exchange failed, in the words of the layer that knows. */

/** `fetch` says "fetch failed" and hides the reason in causes; a host with several addresses fails with a list. */
export const failureReason = (error: unknown): string => {
  let reason = String(error)
  let cause = error
  for (let depth = 0; depth < 5; depth++) {
    if (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0]
    if (!(cause instanceof Error)) break
    if (cause.message !== "") reason = cause.message
    cause = cause.cause
  }
  return reason
}
