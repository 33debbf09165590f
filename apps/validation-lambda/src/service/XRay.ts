/** Calls of the service as subsegments of the invocation's segment, sent to X-Ray's daemon. Loaded only if it is traced. */
import * as crypto from "node:crypto"
import * as dgram from "node:dgram"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"

/** A call of the service, with all its attempts. Times are in milliseconds since the epoch. */
export interface TracedCall {
  /** Without a query, which contains external_ids. */
  readonly url: string
  readonly startedAt: number
  readonly endedAt: number
  readonly error: TransferApiError | undefined
}

/** Where the daemon listens. */
export interface Daemon {
  readonly host: string
  readonly port: number
}

/** The datagram of a call, or `undefined` if X-Ray does not sample its trace. */
export const datagram = (trace: string, { url, startedAt, endedAt, error }: TracedCall): string | undefined => {
  const fields = new Map(
    trace.split(";").map((field) => {
      const [name = "", value] = field.split("=")
      return [name, value] as const
    }),
  )
  const root = fields.get("Root")
  const parent = fields.get("Parent")
  if (root === undefined || parent === undefined || fields.get("Sampled") !== "1") return undefined
  const status = error !== undefined && "status" in error ? error.status : error?._tag === "RateLimited" ? 429 : 200
  const segment = {
    name: new URL(url).host,
    id: crypto.randomBytes(8).toString("hex"),
    trace_id: root,
    parent_id: parent,
    type: "subsegment",
    namespace: "remote",
    start_time: startedAt / 1000,
    end_time: endedAt / 1000,
    http: { request: { method: "GET", url }, ...(hasResponse(error) ? { response: { status } } : {}) },
    ...(error === undefined ? {} : { annotations: { error: error._tag }, ...kindOf(status, error) }),
  }
  return `{"format":"json","version":1}\n${JSON.stringify(segment)}`
}

const hasResponse = (error: TransferApiError | undefined): boolean =>
  error === undefined || "status" in error || error._tag === "RateLimited"

/** A fault is the service's, an error the caller's. */
const kindOf = (status: number, error: TransferApiError) => {
  if (error._tag === "RateLimited") return { error: true, throttle: true }
  return hasResponse(error) && status < 500 ? { error: true } : { fault: true }
}

/** Sends a datagram. What is lost is not missed: a trace is worth no failure, and the promise is never rejected. */
export const send = ({ host, port }: Daemon, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = dgram.createSocket("udp4")
    const end = () => socket.close(() => resolve())
    socket.once("error", end)
    socket.send(text, port, host, end)
  })
