/** Logs what a command asks of the service, and shows a person who waits for a retry why. */
import { duration } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import type { HttpTransferApiOptions } from "@transferkit/http-client/HttpTransferApi"
import * as Effect from "effect/Effect"
import type { Screen } from "../terminal/Screen.ts"

/** In milliseconds: shorter waits are not worth a line. */
const longWait = 1000

const traffic: Pick<HttpTransferApiOptions, "onRequest" | "onResponse"> = {
  onRequest: (curl) => Effect.logDebug(escapeControls(curl)),
  onResponse: ({ status, requestId, milliseconds }) => {
    const id = requestId === undefined ? "" : `, request id ${escapeControls(requestId)}`
    return Effect.logDebug(`status ${status} in ${Math.round(milliseconds)} ms${id}`)
  },
}

/**
 * Hooks of the client: requests and responses at `debug`, retries at `info`, long waits on a terminal. What is not logged
 * is not printed, because each request would be searched for secrets.
 */
export const hooks = (
  screen: Screen["Service"],
  options: { readonly isForScript: boolean; readonly isDebugged: boolean },
): Pick<HttpTransferApiOptions, "onRequest" | "onResponse" | "onRetry"> => ({
  ...(options.isDebugged && traffic),
  onRetry: ({ error, attempts, delay }) => {
    const reason = escapeControls(error.message)
    const wait = delay < longWait ? `${Math.round(delay)} ms` : duration(delay / 1000)
    const logged = Effect.logInfo(`Attempt ${attempts} failed, retrying in ${wait}: ${reason}`)
    if (delay <= longWait || options.isForScript || !screen.stderr.isTerminal) return logged
    // A progress bar may have drawn on the line.
    return Effect.andThen(logged, screen.noteExactly(`\r\u001b[2K${reason} Retrying in ${wait}.\n`))
  },
})
