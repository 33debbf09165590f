/**
 * What a recording is replayed as. Its transfers are served by content, because a client pages differently each time;
 * odd responses literally, because nothing else would be the same.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Paths from "@transferkit/http-api/Paths"
import * as Result from "effect/Result"
import type { Response } from "../Exchange.ts"
import * as Take from "./Take.ts"

/** The responses to requests that are alike: in the order they came, `undefined` for an ordinary one. */
interface Sequence {
  readonly responses: ReadonlyArray<Response | undefined>
  next: number
}

/** A recording, ready to be served. Mutable: sequences advance. */
export interface Replay {
  readonly transfers: ReadonlyArray<unknown>
  readonly capabilities: Capabilities.Capabilities | undefined
  readonly sequences: ReadonlyMap<string, Sequence>
}

/** What a recording's takes are replayed as. */
export const of = (takes: ReadonlyArray<Take.Take>): Replay => {
  const transfers = new Map<string, Row>()
  const sequences = new Map<string, { responses: Array<Response | undefined>; next: number }>()
  let capabilities: Capabilities.Capabilities | undefined
  for (const take of takes) {
    // Credentials are not recorded, so the fake's own decide.
    if (take.status === 401 || take.status === 403) continue
    const body = take.status === 200 ? Take.bodyOf(take).toString("utf8") : ""
    const page = take.path === Paths.search && TransferPage.fromJson(body)
    const listed = take.path === Paths.capabilities && Capabilities.fromJson(body)
    const isPage = page !== false && Result.isSuccess(page)
    if (isPage) for (const wire of rowsOf(body)) if (isNewer(wire, transfers.get(wire.id))) transfers.set(wire.id, wire)
    if (listed !== false && Result.isSuccess(listed)) capabilities = listed.success
    const isOrdinary = isPage || (listed !== false && Result.isSuccess(listed))
    const key = keyOf(take.path, take.query)
    const sequence = sequences.get(key) ?? { responses: [], next: 0 }
    sequence.responses.push(isOrdinary ? undefined : responseOf(take))
    sequences.set(key, sequence)
  }
  const odd = [...sequences].filter(([, { responses }]) => responses.some((response) => response !== undefined))
  return { transfers: [...transfers.values()], capabilities, sequences: new Map(odd) }
}

interface Row {
  readonly id: string
  readonly created_at: string
  readonly updated_at?: string | null
}

const rowsOf = (page: string): ReadonlyArray<Row> => JSON.parse(page).results

/** Of the same transfer: updated later, or seen later. */
const isNewer = (row: Row, before: Row | undefined): boolean =>
  before === undefined || Timestamp.compare(updatedAt(row), updatedAt(before)) >= 0

const updatedAt = (row: Row): Timestamp.Timestamp =>
  Result.getOrElse(Timestamp.parse(row.updated_at ?? row.created_at), () => Timestamp.earliest)

const responseOf = (take: Take.Take): Response => {
  const { status = 502, headers = {}, failure } = take
  const { "x-request-id": _, ...kept } = headers
  const response = { status, headers: kept, body: [Take.bodyOf(take)] }
  return failure === undefined ? response : { ...response, delivery: { reset: "before" } }
}

/** Requests are alike if they differ in the order of their parameters or in the cursor only: cursors are issued anew. */
const keyOf = (path: string, query: string): string => {
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    name === "after_cursor" ? "" : value,
  ])
  return `${path}?${parameters.map(String).toSorted().join("&")}`
}

/** The odd response to a request, if it is one's turn. */
export const take = (self: Replay, path: string, query: string): Response | undefined => {
  const sequence = self.sequences.get(keyOf(path, query))
  if (sequence === undefined) return undefined
  const { responses, next } = sequence
  sequence.next += 1
  if (next < responses.length) return responses[next]
  // What a retry would not change, it does not change.
  const last = responses.at(-1)
  return last !== undefined && isFinal(last) ? last : undefined
}

const isFinal = ({ status, delivery }: Response): boolean =>
  delivery === undefined && status < 500 && status !== 408 && status !== 429

/** Starts all sequences over. */
export const reset = (self: Replay): void => {
  for (const sequence of self.sequences.values()) sequence.next = 0
}
