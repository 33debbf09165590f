/**
 * Protection against web pages: any page in a browser can send requests to a fake on the same machine. Host shows that
 * its name was rebound to this address, Origin and Sec-Fetch-Site that it is from another origin.
 */
import type { IncomingHttpHeaders } from "node:http"
import * as HostName from "@transferkit/http-api/HostName"
import { isLoopback } from "../../FakeOptions.ts"
import { rejection, type Response } from "../Exchange.ts"

export interface CallerCheck {
  /** Accepted values of Host, which grow as equivalent ones arrive. */
  readonly hosts: Set<string>
  readonly isAccepted: (name: string) => boolean
}

/**
 * On a loopback address, Host has to name this machine. On another one, its names are not known here; a page can have
 * none that is an IP address or has no dot.
 */
export const make = (host: string, allowHosts: ReadonlyArray<string>): CallerCheck => {
  const allowed = new Set([host, ...allowHosts].map((name) => name.toLowerCase()))
  const isOwn = isLoopback(host) ? isLoopback : HostName.isUnregistrable
  return { hosts: new Set(), isAccepted: (name) => isOwn(name) || allowed.has(name) }
}

/** A client may add a port or write a name in capitals; few do, so few are remembered. */
const mostRemembered = 64

/** The rejection of a request for a name that is not this fake's. */
export const rejectHost = ({ hosts, isAccepted }: CallerCheck, host: string | undefined): Response | undefined => {
  if (host === undefined || hosts.has(host)) return undefined
  if (!isAccepted(HostName.ofHeader(host))) return misdirected(host)
  if (hosts.size < mostRemembered) hosts.add(host)
  return undefined
}

const misdirected = (host: string): Response =>
  rejection(421, [
    {
      code: "unknown_host",
      message: `The Host ${JSON.stringify(host.slice(0, 64))} is not one of this fake. To accept it, start the fake with --allow-host (option allowHosts) and the name.`,
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
  { code: "foreign_origin", message: "Pages of another origin may not call the fake, unless --cors allows them." },
])
