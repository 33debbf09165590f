/** Which requests of the journal are meant, and the check that exactly the expected ones were sent. */
import * as Data from "effect/Data"
import type { Entry } from "./Journal.ts"

/**
 * Which requests: all conditions must hold.
 *
 * @example
 * await using fake = await startFakeServer({ transfers: 45 })
 * await fetch(`${fake.url}/v1/transfers/search?limit=5`, { headers })
 * fake.requests({ path: "/v1/transfers/search", limit: "5", status: 200 }).length // => 1
 */
export interface Filter {
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly partner?: string | undefined
  readonly status?: number | undefined
  readonly page?: number | undefined
  readonly fault?: string | undefined
  /** The parameters of a search; `created_at` is one of its values. */
  readonly external_id?: string | undefined
  readonly created_at?: string | undefined
  readonly limit?: string | undefined
  readonly after_cursor?: string | undefined
}

/** The values of an entry that a condition is compared with: one, or any of several. */
const valuesOf: Readonly<Record<keyof Filter, (entry: Entry) => unknown>> = {
  method: (entry) => entry.method,
  path: (entry) => entry.path,
  partner: (entry) => entry.partner,
  status: (entry) => entry.status,
  page: (entry) => entry.page,
  fault: (entry) => entry.faults,
  external_id: (entry) => entry.parameters["external_id"],
  created_at: (entry) => entry.parameters["created_at"],
  limit: (entry) => entry.parameters["limit"],
  after_cursor: (entry) => entry.parameters["after_cursor"],
}

/**
 * The names of {@link Filter}.
 *
 * @example
 * RequestFilter.names.slice(0, 4) // => ["method", "path", "partner", "status"]
 */
export const names: ReadonlyArray<string> = Object.keys(valuesOf)

/**
 * The filter has a field that requests do not have. Without types, it would match nothing.
 *
 * @example
 * new RequestFilter.UnknownFilter({ name: "pgae" }).message.startsWith('Requests have no "pgae".') // => true
 */
export class UnknownFilter extends Data.TaggedError("UnknownFilter")<{ readonly name: string }> {
  override get message(): string {
    return `Requests have no ${JSON.stringify(this.name)}. They can be filtered by ${names.join(", ")}.`
  }
}

const isName = (name: string): name is keyof Filter => names.includes(name)

/** The conditions of a filter. Throws {@link UnknownFilter}. */
const conditionsOf = (filter: Filter): ReadonlyArray<keyof Filter> =>
  Object.keys(filter)
    .map((name) => {
      if (!isName(name)) throw new UnknownFilter({ name })
      return name
    })
    .filter((name) => filter[name] !== undefined)

/** The conditions that a request does not meet. */
const missed = (entry: Entry, filter: Filter, conditions: ReadonlyArray<keyof Filter>) =>
  conditions.filter((name) => ![valuesOf[name](entry)].flat().includes(filter[name]))

/**
 * The requests that pass a filter. Throws {@link UnknownFilter}.
 *
 * @example
 * const journal = Journal.make(1000)
 * Journal.record(journal, note)
 * RequestFilter.select(Journal.entries(journal), { status: 200 }).length // => 1
 * RequestFilter.select(Journal.entries(journal), { status: 503 }) // => []
 */
export const select = (all: ReadonlyArray<Entry>, filter: Filter): ReadonlyArray<Entry> => {
  const conditions = conditionsOf(filter)
  return all.filter((entry) => missed(entry, filter, conditions).length === 0)
}

/**
 * Other requests than expected. The message lists them.
 *
 * @example
 * await using fake = await startFakeServer()
 * const check = async () => fake.expectRequests({ path: "/v1/transfers/search" }, 2)
 * (await check().catch((error) => error)).expected // => '2 requests like {"path":"/v1/transfers/search"}, not 0'
 */
export class UnexpectedRequests extends Data.TaggedError("UnexpectedRequests")<{
  readonly expected: string
  readonly requests: ReadonlyArray<Entry>
  /** The request that differs least, and how, if there were too few. */
  readonly closest?: string
}> {
  override get message(): string {
    const list = this.requests.map((entry) => `  ${lineOf(entry)}`)
    const closest = this.closest === undefined ? "" : ` The closest is ${this.closest}.`
    return `Expected ${this.expected}.${closest} There were:\n${list.length === 0 ? "  no requests" : list.join("\n")}`
  }
}

const lineOf = ({ method, path, parameters, status, page }: Entry): string =>
  `${method} ${path} ${JSON.stringify(parameters)} → ${status}${page === undefined ? "" : `, page ${page}`}`

/**
 * Throws {@link UnexpectedRequests} unless exactly `times` requests pass the filter.
 *
 * @example
 * const journal = Journal.make(1000)
 * Journal.record(journal, note)
 * RequestFilter.expectRequests(Journal.entries(journal), { status: 200 }, 1) // => undefined
 */
export const expectRequests = (all: ReadonlyArray<Entry>, filter: Filter, times: number): void => {
  const found = select(all, filter).length
  if (found === times) return
  const expected = `${times} requests like ${JSON.stringify(filter)}, not ${found}`
  const closest = found < times ? closestOf(all, filter) : undefined
  throw new UnexpectedRequests({ expected, requests: all, ...(closest !== undefined && { closest }) })
}

/** The latest of the requests that miss the fewest conditions, but some. */
const closestOf = (all: ReadonlyArray<Entry>, filter: Filter): string | undefined => {
  const conditions = conditionsOf(filter)
  let best: { readonly entry: Entry; readonly differs: ReadonlyArray<keyof Filter> } | undefined
  for (const entry of all) {
    const differs = missed(entry, filter, conditions)
    if (differs.length === 0 || differs.length === conditions.length) continue
    if (best === undefined || differs.length <= best.differs.length) best = { entry, differs }
  }
  if (best === undefined) return undefined
  const { entry, differs } = best
  const differences = differs.map((name) => {
    const value = valuesOf[name](entry)
    return `${name} is ${value === undefined ? "missing" : JSON.stringify(value)}, not ${JSON.stringify(filter[name])}`
  })
  return `${lineOf(entry)}: its ${differences.join("; its ")}`
}
