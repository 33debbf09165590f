/** The latest requests and their outcome, without any secret. */
import * as Paths from "@transferkit/http-api/Paths"
import { type Delivery, split } from "./internal/Exchange.ts"

/**
 * One request and its response.
 *
 * @example
 * await using fake = await startFakeServer()
 * await fetch(`${fake.url}/v1/capabilities`)
 * fake.requests().map(({ method, path, status }) => [method, path, status]) // => [["GET", "/v1/capabilities", 401]]
 */
export interface Entry {
  /** The `x-request-id` of the response. */
  readonly id: string
  /** When it arrived, RFC 3339. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Its decoded parameters; several values of one name as a list. */
  readonly parameters: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** The partner of its credentials; absent if they were missing or wrong. */
  readonly partner?: string
  readonly status: number
  readonly duration_ms: number
  /** How long the response was held back, if it was. */
  readonly delay_ms?: number
  /** How long its body took to send in pieces, if it was. */
  readonly drip_ms?: number
  readonly bytes: number
  /** The faults applied to it. */
  readonly faults: ReadonlyArray<string>
  /** Why faults could not act, such as an `id` to insert that is taken; or an exception. */
  readonly problems?: ReadonlyArray<string>
  /** The page of its search, if known. */
  readonly page?: number
}

/**
 * The record of a request. Entries are derived from it when they are read. Times are in milliseconds, since 1970 `at`.
 *
 * @example
 * const journal = Journal.make(1000)
 * Journal.record(journal, { ...note, at: 1_725_148_800_000, durationMs: 1.5 })
 * Journal.entries(journal).map(({ at, duration_ms }) => [at, duration_ms]) // => [["2024-09-01T00:00:00.000Z", 1.5]]
 */
export interface Note {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly target: string
  readonly partner: string | undefined
  readonly status: number
  readonly durationMs: number
  readonly bytes: number
  readonly faults: ReadonlyArray<string>
  readonly end_cursor: string | undefined
  readonly problems: ReadonlyArray<string>
  readonly delivery?: Delivery | undefined
}

/** A note, and the page of its search, if known. */
interface Recorded extends Note {
  readonly page: number | undefined
}

/**
 * The latest requests. Mutable.
 *
 * @example
 * const journal = Journal.make(1000)
 * Journal.record(journal, note)
 * journal.counts.requests.get("/v1/capabilities 200") // => 1
 */
export interface Journal {
  readonly size: number
  notes: Array<Recorded>
  next: number
  /** The page to which each cursor of a kept request leads. */
  readonly pages: Map<string, number>
  readonly listeners: Set<(entry: Entry) => void>
  /** Since the start, whatever was removed: requests by `<path> <status>`, and faults. */
  readonly counts: { readonly requests: Map<string, number>; readonly faults: Map<string, number> }
}

/**
 * A journal of the latest `size` requests.
 *
 * @example
 * const journal = Journal.make(1)
 * for (const id of ["r1", "r2"]) Journal.record(journal, { ...note, id })
 * Journal.entries(journal).map(({ id }) => id) // => ["r2"]
 */
export const make = (size: number): Journal => ({
  size,
  notes: [],
  next: 0,
  pages: new Map(),
  listeners: new Set(),
  counts: { requests: new Map(), faults: new Map() },
})

/**
 * Records a request, in place of the oldest one, and calls the listeners.
 *
 * @example
 * const [journal, seen] = [Journal.make(1000), []]
 * journal.listeners.add(({ path }) => seen.push(path))
 * Journal.record(journal, note)
 * seen // => ["/v1/capabilities"]
 */
export const record = (self: Journal, note: Note): void => {
  increment(self.counts.requests, `${routeOf(split(note.target).path)} ${note.status}`)
  for (const fault of note.faults) increment(self.counts.faults, fault)
  const recorded = { ...note, page: pageOf(self, note) }
  if (self.size > 0) {
    self.pages.delete(self.notes[self.next % self.size]?.end_cursor ?? "")
    self.notes[self.next % self.size] = recorded
    self.next += 1
    // The first page that ends with a cursor counts: a cursor repeated by a fault leads to the same page.
    if (recorded.page !== undefined && note.end_cursor !== undefined && !self.pages.has(note.end_cursor)) {
      self.pages.set(note.end_cursor, recorded.page + 1)
    }
  }
  if (self.listeners.size === 0) return
  const entry = toEntry(recorded)
  for (const listener of self.listeners) listener(entry)
}

const pageOf = (self: Journal, { target }: Note): number | undefined => {
  const { path, query } = split(target)
  if (!path.endsWith("/search")) return undefined
  const cursor = query.includes("after_cursor") ? new URLSearchParams(query).get("after_cursor") : null
  return cursor === null ? 1 : self.pages.get(cursor)
}

/**
 * The path, if the service has it. Any caller can make up others, so for metrics those are one.
 *
 * @example
 * Journal.routeOf("/v1/capabilities") // => "/v1/capabilities"
 * Journal.routeOf("/v2/nothing") // => "other"
 */
export const routeOf = (path: string): string => (path === Paths.search || path === Paths.capabilities ? path : "other")

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

/**
 * Removes all requests. The counts stay.
 *
 * @example
 * const journal = Journal.make(1000)
 * Journal.record(journal, note)
 * Journal.clear(journal)
 * Journal.entries(journal) // => []
 */
export const clear = (self: Journal): void => {
  self.notes = []
  self.next = 0
  self.pages.clear()
}

/**
 * The requests, oldest first.
 *
 * @example
 * const journal = Journal.make(1000)
 * Journal.record(journal, note)
 * Journal.entries(journal).map(({ path, status }) => `${path}: ${status}`) // => ["/v1/capabilities: 200"]
 */
export const entries = (self: Journal): ReadonlyArray<Entry> => {
  const start = self.notes.length < self.size ? 0 : self.next % self.size
  return [...self.notes.slice(start), ...self.notes.slice(0, start)].map(toEntry)
}

const toEntry = (note: Recorded): Entry => {
  const { path, query } = split(note.target)
  const parameters = parametersOf(query)
  return {
    id: note.id,
    at: new Date(note.at).toISOString(),
    method: note.method,
    path,
    parameters,
    ...(note.partner !== undefined && { partner: note.partner }),
    status: note.status,
    duration_ms: Math.round(note.durationMs * 1000) / 1000,
    ...timesOf(note),
    bytes: note.bytes,
    faults: note.faults,
    ...(note.problems.length > 0 && { problems: note.problems }),
    ...(note.page !== undefined && { page: note.page }),
  }
}

const timesOf = ({ delivery, bytes }: Note): Pick<Entry, "delay_ms" | "drip_ms"> => ({
  ...((delivery?.delayMs ?? 0) > 0 && { delay_ms: Math.round(delivery?.delayMs ?? 0) }),
  ...(delivery?.drip && { drip_ms: Math.max(0, Math.ceil(bytes / delivery.drip.bytes) - 1) * delivery.drip.every_ms }),
})

const parametersOf = (query: string): Readonly<Record<string, string | ReadonlyArray<string>>> => {
  const search = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const [first = "", ...more] = search.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}
