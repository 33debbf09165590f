/** Why an exchange failed, in the words of the layer that knows, and whether a retry can help. */
import { TransportFailed } from "../../HttpTransport.ts"

/** `fetch` says "fetch failed" and hides the reason in causes; a host with several addresses fails with a list. */
export const transportFailed = (error: unknown): TransportFailed => {
  let reason = String(error)
  let kind: NonNullable<TransportFailed["kind"]> = "connection"
  let errno: string | undefined
  let cause = error
  for (let depth = 0; depth < 5; depth++) {
    if (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0]
    if (!(cause instanceof Error)) break
    if (cause.message !== "") reason = cause.message
    // 101 Switching Protocols, for which Node's `fetch` has no code of its own.
    if (cause.message === "bad upgrade") kind = "permanent"
    if ("code" in cause && typeof cause.code === "string") {
      errno = cause.code
      kind = kindOf(errno) ?? kind
    }
    cause = cause.cause
  }
  return new TransportFailed({ reason, kind, ...(errno === undefined ? {} : { errno }) })
}

const kindOf = (code: string): TransportFailed["kind"] => {
  // Not EAI_AGAIN: that is a resolver that does not respond, and may the next time.
  if (code === "ENOTFOUND" || untrusted.test(code)) return "permanent"
  return undecodable.test(code) ? "encoding" : undefined
}

/** The codes for certificates, and for a service that does not speak TLS. */
const untrusted =
  /^(?:EPROTO$|CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|HOSTNAME_MISMATCH$|ERR_SSL_WRONG_VERSION_NUMBER$|ERR_SSL_PACKET_LENGTH_TOO_LONG$)/

/** The codes of zlib and Brotli. */
const undecodable = /^(?:Z_|ERR_+(?:BROTLI|FORMAT|PADDING)|ERR__ERROR_FORMAT)/
