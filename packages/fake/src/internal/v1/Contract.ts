/** The two operations of partner-api.md, with the faults of the request, recorded in the journal. The hot path. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as Paths from "@transferkit/http-api/Paths"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import type { Case } from "@transferkit/http-api/ServiceBehaviour"
import * as Draw from "@transferkit/in-memory/Draw"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"
import type { Fault } from "../../Fault.ts"
import * as Journal from "../../Journal.ts"
import * as Partners from "../../Partners.ts"
import * as RateLimit from "../../RateLimit.ts"
import { methodNotAllowed, ok, rejection, type Request, type Response, split } from "../Exchange.ts"
import * as ActiveRules from "../faults/ActiveRules.ts"
import * as Additions from "../faults/Additions.ts"
import { deviationOf, editResponse, editPage } from "../faults/FaultyResponse.ts"
import * as Insertions from "../faults/Insertions.ts"
import * as Replay from "../recording/Replay.ts"
import * as FakeState from "../state/FakeState.ts"
import * as KeptResponses from "../state/KeptResponses.ts"
import * as Likeness from "./Likeness.ts"
import * as pageBuffers from "./PageBuffers.ts"

/** A request with its partner and its faults. */
interface Call {
  readonly service: FakeState.FakeState
  readonly number: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly partner: Partners.Partner | undefined
  readonly hasCredentials: boolean
  readonly faults: ReadonlyArray<Fault>
}

/** A response, and its page. */
interface Served {
  readonly response: Response
  readonly end_cursor?: string | undefined
  /** Why it is a rejection. */
  readonly case?: Case | undefined
  /** Only for a request with faults, which may change it. */
  readonly lastRow?: Uint8Array | undefined
  /** What faults could not do to its page. */
  readonly problems?: ReadonlyArray<string>
}

/** The response to a request, with its `x-request-id`. Records both in the journal. */
export const respond = (service: FakeState.FakeState, request: Request): Response => {
  const started = performance.now()
  service.requests += 1
  const number = service.requests
  const { path, query } = split(request.target)
  const { authorization } = request.headers
  const partner = typeof authorization === "string" ? Partners.authenticate(service.partners, authorization) : undefined
  const after_cursor = service.rules.active.length === 0 ? undefined : cursorIn(query)
  const faults = ActiveRules.take(service.rules, { partner: partner?.id, path, after_cursor })
  const hasCredentials = authorization !== undefined
  const call: Call = { service, number, method: request.method, path, query, partner, hasCredentials, faults }
  const { like } = service
  const plain = serve(call)
  const served =
    like === undefined ? plain : { ...plain, response: Likeness.dress(plain.response, plain.case, number, like) }
  const delayMs = FakeState.latencyOf(service, number)
  const slow = delayMs === 0 ? served.response : { ...served.response, delivery: { delayMs } }
  const { response, problems } =
    faults.length === 0
      ? { response: slow, problems: none }
      : editResponse(slow, faults, {
          hasCursor: after_cursor !== undefined,
          now: service.clock(),
          key: Draw.keyOf(service.seed, number),
        })
  const id = `req-${number}`
  const undone = faults.length === 0 ? none : mutate(call, served.lastRow)
  Journal.record(service.journal, {
    id,
    at: service.clock(),
    method: request.method,
    target: request.target,
    partner: partner?.id,
    status: response.status,
    durationMs: performance.now() - started,
    bytes: response.body.reduce((sum, part) => sum + part.byteLength, 0),
    faults: faults.map(({ fault }) => fault),
    end_cursor: served.end_cursor,
    problems: [...(served.problems ?? none), ...problems, ...undone],
    delivery: response.delivery,
  })
  if (service.journal.size > 0) KeptResponses.keep(service.responses, id, response)
  const hasId = like?.headers === undefined || "x-request-id" in response.headers
  return hasId ? { ...response, headers: { ...response.headers, "x-request-id": id } } : response
}

const cursorIn = (query: string): string | undefined => new URLSearchParams(query).get("after_cursor") ?? undefined

const serve = (call: Call): Served => {
  const { service, path, partner, query } = call
  if (path !== Paths.search && path !== Paths.capabilities) {
    const message = `There is nothing at ${path.slice(0, 200)}.`
    return { response: rejection(404, [{ code: "not_found", message }]), case: "unknown_path" }
  }
  if (call.method !== "GET" && call.method !== "HEAD") return { response: methodNotAllowed(call.method, "GET, HEAD") }
  const source = partner && service.sources.get(partner.id)
  if (partner === undefined || source === undefined) {
    return { response: unauthorized, case: call.hasCredentials ? "other_credentials" : "no_credentials" }
  }
  const token = service.buckets && RateLimit.take(service.buckets, partner.id, performance.now())
  if (token !== undefined && Result.isFailure(token)) return { response: tooManyRequests(token.failure) }
  const replayed = service.replay && Replay.take(service.replay, path, query)
  if (replayed !== undefined) return { response: replayed }
  return path === Paths.search ? search(call, source) : { response: capabilities(service, query) }
}

const tooManyRequests = (seconds: number): Response =>
  rejection(429, [{ code: "rate_limited", message: `Too many requests. Try again in ${seconds} s.` }], {
    "retry-after": String(seconds),
  })

const unauthorized = rejection(
  401,
  [{ code: "unauthorized", message: "Send the partner id and the secret key as HTTP Basic credentials." }],
  { "www-authenticate": 'Basic realm="transfers", charset="UTF-8"' },
)

const capabilities = (service: FakeState.FakeState, query: string): Response =>
  query === "" || service.lenient
    ? ok([service.capabilities])
    : rejection(400, [
        { code: "unknown_parameter", message: `This operation has no parameters, but ${query.slice(0, 64)} was sent.` },
      ])

/**
 * Caches pages that retries and polls request again, while nothing changes. A page is cached at its second request:
 * most are requested once, and caching those would only cost.
 */
interface CachedPages {
  readonly version: number
  readonly byQuery: Map<string, Served | "requested once">
}

const cachedPages = new WeakMap<TransferStore.TransferStore, CachedPages>()
const mostCached = 1024

const search = (call: Call, source: TransferSearch.Source): Served => {
  if (call.faults.length > 0) return searchFaulty(call, source)
  const { store } = source
  let kept = cachedPages.get(store)
  if (kept === undefined || kept.version !== store.version || kept.byQuery.size >= mostCached) {
    kept = { version: store.version, byQuery: new Map() }
    cachedPages.set(store, kept)
  }
  const known = kept.byQuery.get(call.query)
  if (known !== undefined && known !== "requested once") return known
  if (known === undefined) {
    kept.byQuery.set(call.query, "requested once")
    return searchOnce(call, source)
  }
  const made = searchAnew(call, source, Buffer.allocUnsafeSlow)
  kept.byQuery.set(call.query, made)
  return made
}

/** In memory that is reused once the response is sent. */
const searchOnce = (call: Call, source: TransferSearch.Source): Served => {
  let free: (() => void) | undefined
  const served = searchAnew(call, source, (size) => {
    const memory = pageBuffers.take(size)
    free = memory.free
    return memory.bytes
  })
  return free === undefined ? served : { ...served, response: { ...served.response, free } }
}

const searchAnew = (call: Call, source: TransferSearch.Source, allocate: (size: number) => Uint8Array): Served => {
  const reading = readingOf(call)
  const request = decodeQuery(reading.query, call.service, source)
  if (Result.isFailure(request)) return badRequest(call, request.failure)
  if (reading.extraRows > 0) return searchBeyond(call, source, request.success, reading.extraRows)
  const found = TransferSearch.searchJson(source, request.success, allocate)
  if (Result.isFailure(found)) return badRequest(call, [found.failure])
  const { json, end_cursor } = found.success
  return { response: ok([json]), end_cursor }
}

const readingOf = ({ service, query }: Call): Likeness.Reading =>
  service.like === undefined ? { query, extraRows: 0 } : Likeness.read(query, service.like)

const badRequest = ({ query, service }: Call, errors: ReadonlyArray<ServiceError>): Served => ({
  response: rejection(400, errors),
  case: service.like && Likeness.caseOfRejection(query, errors, service.like.lte_token),
})

/** A page with more rows than the contract allows, of a deployment that serves them. */
const searchBeyond = (call: Call, source: TransferSearch.Source, request: SearchRequest, extraRows: number): Served => {
  const found = TransferSearch.search(source, request, { extraRows })
  if (Result.isFailure(found)) return badRequest(call, [found.failure])
  return { response: ok(TransferSearch.toJson(found.success)), end_cursor: found.success.end_cursor }
}

const decodeQuery = (query: string, { lenient }: FakeState.FakeState, { settings }: TransferSearch.Source) =>
  SearchQuery.decode(query, { lenient, lteToken: settings.lteToken })

const searchFaulty = (call: Call, source: TransferSearch.Source): Served => {
  const { service, number } = call
  const reading = readingOf(call)
  const request = decodeQuery(reading.query, service, source)
  if (Result.isFailure(request)) return badRequest(call, request.failure)
  const { faults, problems } = Additions.withRoom(call.faults)
  const deviation = deviationOf(faults, number)
  const extraRows = (deviation.extraRows ?? 0) + reading.extraRows
  const found = TransferSearch.search(source, request.success, { ...deviation, extraRows })
  if (Result.isFailure(found)) return badRequest(call, [found.failure])
  const { page, problems: undone } = edited(found.success, request.success, faults, source)
  return {
    response: ok(TransferSearch.toJson(page)),
    end_cursor: page.end_cursor,
    lastRow: page.rows.at(-1),
    problems: [...problems, ...undone],
  }
}

const edited = (
  page: TransferSearch.Page,
  request: SearchRequest,
  faults: ReadonlyArray<Fault>,
  source: TransferSearch.Source,
) =>
  editPage(page, faults, {
    request,
    firstCursor: () => {
      const { after_cursor: _, ...first } = request
      return Result.getOrThrow(TransferSearch.search(source, first)).end_cursor
    },
  })

/** The changes that faults make to the store after the page, with the reasons of those that failed. */
const mutate = ({ service, faults, partner }: Call, lastRow: Uint8Array | undefined): ReadonlyArray<string> => {
  const source = partner && service.sources.get(partner.id)
  if (source === undefined) return none
  let inserted = 0
  return faults.flatMap((fault) => {
    const count = Insertions.sumOf([fault])
    const done =
      inserted + count > Insertions.most
        ? Result.fail(tooMany(inserted, count))
        : mutateBy(fault, lastRow, { service, source })
    if (Result.isFailure(done)) return [`${fault.fault}: ${done.failure}`]
    inserted += count
    return []
  })
}

const tooMany = (inserted: number, count: number): string =>
  `The faults before it have inserted ${inserted} transfers for this request, which may insert ${Insertions.most}: these ${count} are not inserted.`

const mutateBy = (
  fault: Fault,
  lastRow: Uint8Array | undefined,
  { service, source }: { readonly service: FakeState.FakeState; readonly source: TransferSearch.Source },
): Result.Result<unknown, string> => {
  if (fault.fault === "insert") {
    const generated = Array.from({ length: Insertions.countOf(fault).generated }, () => ({}))
    const inserted = FakeState.insert(service, source, [...(fault.transfers ?? []), ...generated])
    return Result.mapError(inserted, (error) => error.message)
  }
  if (fault.fault !== "change" && fault.fault !== "remove") return Result.succeed(undefined)
  const id = fault.id ?? (lastRow && idIn(lastRow))
  if (id === undefined) return Result.fail("There is no transfer on the page.")
  const done: Result.Result<void, Error> =
    fault.fault === "change"
      ? TransferStore.change(source.store, id, fault.fields)
      : TransferStore.remove(source.store, id)
  return Result.mapError(done, (error) => error.message)
}

const none: ReadonlyArray<string> = []

const idIn = (row: Uint8Array): string => JSON.parse(Buffer.from(row).toString("utf8")).id
