/** Cross-origin resource sharing: which web pages may call the service and read its responses. */
import type { IncomingHttpHeaders } from "node:http"
import type { Response } from "../Exchange.ts"

/** The headers of a response for a page; `undefined` if there is no page, or its origin is not allowed. */
export const headersFor = (
  origins: ReadonlyArray<string>,
  { origin }: IncomingHttpHeaders,
): Readonly<Record<string, string>> | undefined =>
  origin !== undefined && (origins.includes(origin) || origins.includes("*"))
    ? { "access-control-allow-origin": origin, "access-control-expose-headers": exposed }
    : undefined

/** Headers beyond the few that every page can read. */
const exposed = "date, location, retry-after, www-authenticate, x-request-id"

/** The response to the question of a browser whether a page may send a request; `undefined` if it is not one. */
export const preflight = (
  origins: ReadonlyArray<string>,
  method: string,
  headers: IncomingHttpHeaders,
): Response | undefined => {
  const isAsked = method === "OPTIONS" && headers["access-control-request-method"] !== undefined
  const allowed = isAsked ? headersFor(origins, headers) : undefined
  if (allowed === undefined) return undefined
  const wanted = headers["access-control-request-headers"]
  return {
    status: 204,
    headers: {
      ...allowed,
      "access-control-allow-methods": "GET, HEAD",
      ...(wanted !== undefined && { "access-control-allow-headers": wanted }),
      // From a public page to this machine.
      ...(headers["access-control-request-private-network"] !== undefined && {
        "access-control-allow-private-network": "true",
      }),
      "access-control-max-age": "600",
      vary: "origin, access-control-request-headers",
    },
    body: [],
  }
}
