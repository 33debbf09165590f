/**
 * The fake as a `fetch` of its own, without a socket: for a web page, a service worker, or a test of what takes a `fetch`.
 * It needs `node:crypto`, `node:util` and `Buffer`, which bundlers replace.
 */
import * as Result from "effect/Result"
import type { FakeOptions } from "./FakeOptions.ts"
import * as Operations from "./internal/admin/Operations.ts"
import type { Delivery, Response as Exchanged } from "./internal/Exchange.ts"
import * as FakeState from "./internal/state/FakeState.ts"
import * as Contract from "./internal/v1/Contract.ts"
import type { Entry } from "./Journal.ts"

/** What a fake without a socket has no use for. */
type OfSockets =
  | "arrivals"
  | "allowHosts"
  | "consoleFiles"
  | "corsOrigins"
  | "dataFile"
  | "failOnUnhandled"
  | "faultsFile"
  | "headTimeLimit"
  | "host"
  | "port"
  | "reload"
  | "replayFile"
  | "requestTimeLimit"
  | "tls"

/**
 * The content and behaviour of the fake.
 *
 * @example
 * const fetch = FakeFetch.make({ transfers: 3, clock: () => 1_725_148_800_000 })
 * const response = await fetch("https://fake.example/v1/transfers/search", { headers })
 * (await response.json()).results.length // => 3
 */
export interface FakeFetchOptions extends Omit<FakeOptions, OfSockets> {
  /** The time of day in the journal, in milliseconds since 1970. @default Date's */
  readonly clock?: (() => number) | undefined
}

/**
 * A function that responds as the fake would: `/v1` and `/_fake`, whatever the host. A response that a fault breaks on
 * its way is a rejection, as of a connection that was lost. Throws `InvalidOption`, `InvalidPartner` and `InvalidRule`.
 *
 * @example
 * const fetch = FakeFetch.make({ transfers: 45 })
 * (await fetch("https://fake.example/v1/capabilities")).status // => 401
 */
export const make = ({ clock = () => new Date().getTime(), ...options }: FakeFetchOptions = {}): typeof fetch => {
  const service = Result.getOrThrow(FakeState.make(options, clock))
  Result.getOrThrow(FakeState.setStartRules(service, options.faults ?? []))
  if (options.onRequest !== undefined) service.journal.listeners.add(options.onRequest)
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const target = pathname + search
    const { method } = request
    const headers = Object.fromEntries(request.headers)
    if (!target.startsWith(Operations.prefix)) {
      return arrived(Contract.respond(service, { method, target, headers }), request.signal)
    }
    const body = await request.text()
    const response = Operations.respond(service, { method, target, headers, body }, options.adminToken)
    return response === "events" ? events(service, request.signal) : arrived(response, request.signal)
  }
}

/** What the client gets of a response. */
const arrived = async (response: Exchanged, signal: AbortSignal): Promise<Response> => {
  const { delivery = {} } = response
  await elapsed(delivery, response, signal)
  if (isBroken(delivery)) throw new TypeError("The connection was lost.")
  const body = Buffer.concat(response.body)
  response.free?.()
  const { status, headers } = response
  return new Response(status === 204 || status === 304 ? null : body, { status, headers })
}

const isBroken = ({ instead, reset, truncateTo, hasBadChunk, hasBadGzip }: Delivery): boolean =>
  instead !== undefined ||
  reset !== undefined ||
  truncateTo !== undefined ||
  hasBadChunk === true ||
  hasBadGzip === true

/** Waits as long as a response is held back or sent in pieces; for ever if it is withheld. Ends with the signal. */
const elapsed = ({ delayMs = 0, drip, isWithheld = false }: Delivery, { body }: Exchanged, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const bytes = body.reduce((sum, part) => sum + part.byteLength, 0)
    const dripMs = drip === undefined ? 0 : Math.floor(bytes / drip.bytes) * drip.every_ms
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    const end = () => {
      signal.removeEventListener("abort", abort)
      resolve()
    }
    if (isWithheld) return
    if (delayMs + dripMs === 0) end()
    else setTimeout(end, delayMs + dripMs)
  })

/** The requests as server-sent events, until the reader ends. */
const events = (service: FakeState.FakeState, signal: AbortSignal): Response => {
  const { listeners } = service.journal
  let end = (): void => {}
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const write = (entry: Entry) =>
        controller.enqueue(Buffer.from(`event: request\ndata: ${JSON.stringify(entry)}\n\n`, "utf8"))
      end = () => void listeners.delete(write)
      listeners.add(write)
      controller.enqueue(Buffer.from(": the requests as they arrive\n\n", "utf8"))
      signal.addEventListener("abort", () => {
        end()
        controller.error(signal.reason)
      })
    },
    cancel: () => end(),
  })
  return new Response(stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } })
}
