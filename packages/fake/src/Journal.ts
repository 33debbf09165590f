/** What was asked and what came of it: the latest requests, without any secret, for people and for tests. */
import * as Data from "effect/Data"
import { split } from "./internal/http/exchange.ts"

/** One request and its answer. */
export interface Entry {
  /** The `x-request-id` of the answer. */
  readonly id: string
  /** When it came, RFC 3339. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Its parameters as they were sent, decoded; several values of one name as a list. */
  readonly parameters: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** Whose credentials it came with; absent where they were missing or wrong. */
  readonly partner?: string
  readonly status: number
  readonly duration_ms: number
  readonly bytes: number
  /** The faults that happened to it. */
  readonly faults: ReadonlyArray<string>
  /** What its faults were to do and could not, such as insert a transfer whose `id` is taken. */
  readonly problems?: ReadonlyArray<string>
  /** Which page of its search it asked for, where that is known. */
  readonly page?: number
}

/** What is written down while there is no time; the rest is worked out when it is read. */
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
}

/** The latest requests. Mutable. */
export interface Journal {
  readonly size: number
  notes: Array<Note>
  next: number
  readonly listeners: Set<(entry: Entry) => void>
}

/** A journal of the latest `size` requests. */
export const make = (size: number): Journal => ({ size, notes: [], next: 0, listeners: new Set() })

/** Writes a request down, in the place of the oldest one. */
export const record = (self: Journal, note: Note): void => {
  if (self.size === 0) return
  self.notes[self.next % self.size] = note
  self.next += 1
  if (self.listeners.size === 0) return
  const entry = toEntry(note, new Map())
  for (const listener of self.listeners) listener(entry)
}

/** Forgets all requests. */
export const clear = (self: Journal): void => {
  self.notes = []
  self.next = 0
}

/** The requests, the oldest first. */
export const entries = (self: Journal): ReadonlyArray<Entry> => {
  const start = self.notes.length < self.size ? 0 : self.next % self.size
  const pages = new Map<string, number>()
  return [...self.notes.slice(start), ...self.notes.slice(0, start)].map((note) => toEntry(note, pages))
}

const toEntry = (note: Note, pages: Map<string, number>): Entry => {
  const { path, query } = split(note.target)
  const parameters = parametersOf(query)
  const cursor = parameters["after_cursor"]
  const page = !path.endsWith("/search") ? undefined : cursor === undefined ? 1 : pages.get(String(cursor))
  // The first page that ends with a cursor counts: a cursor that is repeated by a fault leads back to the same page.
  if (page !== undefined && note.end_cursor !== undefined && !pages.has(note.end_cursor)) {
    pages.set(note.end_cursor, page + 1)
  }
  return {
    id: note.id,
    at: new Date(note.at).toISOString(),
    method: note.method,
    path,
    parameters,
    ...(note.partner !== undefined && { partner: note.partner }),
    status: note.status,
    duration_ms: Math.round(note.durationMs * 1000) / 1000,
    bytes: note.bytes,
    faults: note.faults,
    ...(note.problems.length > 0 && { problems: note.problems }),
    ...(page !== undefined && { page }),
  }
}

const parametersOf = (query: string): Readonly<Record<string, string | ReadonlyArray<string>>> => {
  const search = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const [first = "", ...more] = search.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}

/** Which requests. All that is given must hold. */
export interface Filter {
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly partner?: string | undefined
  readonly status?: number | undefined
  readonly page?: number | undefined
  readonly fault?: string | undefined
  readonly after_cursor?: string | undefined
}

/** All that requests can be filtered by: for those who write no types, what is misspelt would let nothing through. */
const known: Readonly<Record<keyof Filter, true>> = {
  method: true,
  path: true,
  partner: true,
  status: true,
  page: true,
  fault: true,
  after_cursor: true,
}

/** The names of {@link Filter}. */
export const filterNames: ReadonlyArray<string> = Object.keys(known)

/** The filter names what no request has. */
export class UnknownFilter extends Data.TaggedError("UnknownFilter")<{ readonly name: string }> {
  override get message(): string {
    return `Requests have no ${JSON.stringify(this.name)}. They can be filtered by ${filterNames.join(", ")}.`
  }
}

/** The requests that a filter lets through. Throws {@link UnknownFilter}. */
export const select = (all: ReadonlyArray<Entry>, filter: Filter): ReadonlyArray<Entry> => {
  const unknown = Object.keys(filter).find((name) => !filterNames.includes(name))
  if (unknown !== undefined) throw new UnknownFilter({ name: unknown })
  return all.filter(
    (entry) =>
      (filter.method === undefined || entry.method === filter.method) &&
      (filter.path === undefined || entry.path === filter.path) &&
      (filter.partner === undefined || entry.partner === filter.partner) &&
      (filter.status === undefined || entry.status === filter.status) &&
      (filter.page === undefined || entry.page === filter.page) &&
      (filter.fault === undefined || entry.faults.includes(filter.fault)) &&
      (filter.after_cursor === undefined || entry.parameters["after_cursor"] === filter.after_cursor),
  )
}

/** The requests were not those that were expected. */
export class UnexpectedRequests extends Data.TaggedError("UnexpectedRequests")<{
  readonly expected: string
  readonly requests: ReadonlyArray<Entry>
}> {
  override get message(): string {
    const list = this.requests.map(
      ({ method, path, parameters, status, page }) =>
        `  ${method} ${path} ${JSON.stringify(parameters)} → ${status}${page === undefined ? "" : `, page ${page}`}`,
    )
    return `Expected ${this.expected}. There were:\n${list.length === 0 ? "  no requests" : list.join("\n")}`
  }
}

/** Throws {@link UnexpectedRequests} unless just so many requests pass the filter. */
export const expectRequests = (all: ReadonlyArray<Entry>, filter: Filter, times: number): void => {
  const found = select(all, filter).length
  if (found === times) return
  const expected = `${times} requests like ${JSON.stringify(filter)}, not ${found}`
  throw new UnexpectedRequests({ expected, requests: all })
}
