/**
 * Protection against web pages: any page in a browser can send requests to a fake on the same machine. Host shows that
 * its name was rebound to this address, Origin and Sec-Fetch-Site that it is from another origin.
 */
import type { IncomingHttpHeaders } from "node:http"
import { isLoopback } from "../../FakeOptions.ts"
import { rejection, type Response } from "./Exchange.ts"

export interface CallerCheck {
  /** Accepted values of Host, which grow as equivalent ones arrive; `undefined` if any is accepted. */
  readonly hosts: Set<string> | undefined
  readonly allowed: ReadonlySet<string>
}

/** Checks Host on a loopback address only: the names of other addresses are not known here. */
export const make = (host: string, allowHosts: ReadonlyArray<string>): CallerCheck => ({
  hosts: isLoopback(host) ? new Set() : undefined,
  allowed: new Set([host, ...allowHosts].map((name) => name.toLowerCase())),
})

/** A client may add a port or write a name in capitals; few do, so few are remembered. */
const mostRemembered = 64

/** The rejection of a request for a name that is not this fake's. */
export const rejectHost = ({ hosts, allowed }: CallerCheck, host: string | undefined): Response | undefined => {
  if (hosts === undefined || host === undefined || hosts.has(host)) return undefined
  const name = nameIn(host)
  if (!isLoopback(name) && !allowed.has(name)) return misdirected(name)
  if (hosts.size < mostRemembered) hosts.add(host)
  return undefined
}

/** The name in a Host header, without its port and the brackets of an IPv6 address. */
const nameIn = (host: string): string => {
  const [, address, name = ""] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  return (address ?? name).toLowerCase()
}

const misdirected = (name: string): Response =>
  rejection(421, [
    {
      code: "unknown_host",
      message: `The Host ${JSON.stringify(name.slice(0, 64))} is not accepted on a loopback address. Start the fake with --allow-host (option allowHosts) to accept it.`,
    },
  ])

/** The rejection of a request from a page of another origin. */
export const rejectOrigin = (headers: IncomingHttpHeaders): Response | undefined => {
  const { origin, host } = headers
  const site = headers["sec-fetch-site"]
  const isForeign = origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
  return isForeign || (site !== undefined && site !== "same-origin" && site !== "none") ? foreign : undefined
}

const foreign = rejection(403, [
  { code: "foreign_origin", message: "Pages of another origin may not call the operations of the fake." },
])
