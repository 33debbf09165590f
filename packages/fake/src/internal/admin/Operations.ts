/**
 * The fake's own operations under `/_fake`, for tests, scripts and the console page. A call concerns the partner of its
 * Basic credentials or of `?partner=`, else the first one.
 *
 * Not by HttpApiBuilder: it adds a second request pipeline and 120 ms to load, and needs our own middleware for what
 * most of this file is: rejecting unknown and repeated parameters by name, and bodies with the parser's reason.
 */
import * as crypto from "node:crypto"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as JsonSyntax from "@transferkit/domain/JsonSyntax"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as DurationText from "../../DurationText.ts"
import * as Journal from "../../Journal.ts"
import * as Partners from "../../Partners.ts"
import * as RequestFilter from "../../RequestFilter.ts"
import { methodNotAllowed, ok, okJson, rejection, type Request, type Response, split } from "../Exchange.ts"
import * as ActiveRules from "../faults/ActiveRules.ts"
import * as Insertions from "../faults/Insertions.ts"
import * as FakeState from "../state/FakeState.ts"
import * as KeptResponses from "../state/KeptResponses.ts"
import * as FilteredSearch from "./FilteredSearch.ts"

/** A call of one of the operations. */
interface Call {
  readonly service: FakeState.FakeState
  readonly query: string
  readonly body: string
  /** The last part of the path, for operations on one thing. */
  readonly id: string
  readonly partner: string | undefined
}

/** `"events"` stands for a response without end: every request that the journal records. */
type Outcome = Response | "events"

/** An operation fails with an error response. */
type Operation = (call: Call) => Result.Result<Outcome, Response>

/** The path of the fake's own operations. */
export const prefix = "/_fake/"

/** The response to a request below {@link prefix}. A `token` is required in the header `x-fake-token`. */
export const respond = (
  service: FakeState.FakeState,
  request: Request & { readonly body: string },
  token: string | undefined,
): Outcome => {
  const { path, query } = split(request.target)
  const [name = "", id, ...more] = path.slice(prefix.length).split("/")
  const operations = routes.get(id === undefined || name === "clock" ? path.slice(prefix.length) : `${name}/:id`)
  if (operations === undefined || more.length > 0) return notFound(`There is nothing at ${path.slice(0, 200)}.`)
  if (token !== undefined && name !== "health" && !isSame(request.headers["x-fake-token"], token)) {
    return rejection(401, [{ code: "unauthorized", message: "Send the admin token in the header x-fake-token." }])
  }
  const operation = operations[request.method === "HEAD" ? "GET" : request.method]
  if (operation === undefined) return methodNotAllowed(request.method, Object.keys(operations).join(", "))
  if (request.body !== "" && !isJsonType(request.headers["content-type"])) return notJson
  const { authorization } = request.headers
  const parameters = new URLSearchParams(query)
  const accepted = parametersOf.get(operation) ?? ["partner"]
  const names = [...parameters.keys()]
  const unknown = names.find((each) => !accepted.includes(each))
  if (unknown !== undefined && !searches.has(operation)) {
    const list = accepted.join(", ")
    return invalid(`There is no parameter ${quoted(unknown)}. This operation has ${list}.`)
  }
  const doubled = names.find(
    (each, index) => names.indexOf(each) < index && (each === "partner" || !searches.has(operation)),
  )
  if (doubled !== undefined) return invalid(`${quoted(doubled)} is given more than once.`)
  const named = parameters.get("partner") ?? undefined
  if (named !== undefined && !service.sources.has(named)) {
    return notFound(`There is no partner ${quoted(named)}.`)
  }
  const partner = named ?? (typeof authorization === "string" ? Partners.idIn(authorization) : undefined)
  return Result.merge(operation({ service, query, body: request.body, id: decoded(id ?? ""), partner }))
}

/** A text of a request, which may be long. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 64))

const maxDepth = 64

const isSame = (given: unknown, token: string): boolean =>
  typeof given === "string" &&
  crypto.timingSafeEqual(crypto.hash("sha256", given, "buffer"), crypto.hash("sha256", token, "buffer"))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A page of another origin can send any other content type without asking first. */
const isJsonType = (given: unknown): boolean => typeof given === "string" && /^application\/json *(?:;|$)/i.test(given)

const notJson = rejection(415, [
  { code: "unsupported_media_type", message: "Send the body as JSON, with the header content-type: application/json." },
])

const notFound = (message: string): Response => rejection(404, [{ code: "not_found", message }])

const invalid = (message: string): Response => rejection(400, [{ code: "invalid_request", message }])

const done: Response = { status: 204, headers: {}, body: [] }

/** The most commas, lists and objects of a body, each. 10,000 transfers with all fields have less. */
const mostValues = 1_000_000

/** The value of a body. A deep one would overflow the stack of whatever reads it. */
const json = (text: string): Result.Result<unknown, Response> => {
  if (text === "") return Result.fail(invalid("There is no body. Send it as JSON."))
  if (JsonBounds.isExceeded(text, mostValues)) {
    const message = `The body has more than ${mostValues} values: send it in parts.`
    return Result.fail(rejection(413, [{ code: "too_large", message }]))
  }
  try {
    const value: unknown = JSON.parse(text)
    const deep = JsonDepth.findDeeper(value, maxDepth)
    return deep === undefined
      ? Result.succeed(value)
      : Result.fail(invalid(`The body is nested more than ${maxDepth} levels deep at ${deep.slice(0, 100)}.`))
  } catch (error) {
    return Result.fail(invalid(`The body is not JSON: ${error instanceof Error ? error.message : error}.`))
  }
}

const sourceOf = ({ service, partner }: Call): Result.Result<TransferSearch.Source, Response> =>
  Result.mapError(FakeState.sourceOf(service, partner), (error) => notFound(error.message))

/** What a call of the console searches: the parameters of the contract, a `status`, and how an id begins. */
const wantedBy = (call: Call) =>
  Result.gen(function* () {
    const parameters = new URLSearchParams(call.query)
    const take = (name: string): string | undefined => {
      const value = parameters.get(name) ?? undefined
      parameters.delete(name)
      return value
    }
    take("partner")
    const filter = { status: take("status"), prefix: take("prefix") }
    const source = yield* sourceOf(call)
    const options = { lenient: call.service.lenient, lteToken: source.settings.lteToken }
    const request = yield* Result.mapError(SearchQuery.decode(parameters.toString(), options), (errors) =>
      rejection(400, errors),
    )
    return { source, request, filter }
  })

/** The partner's search without credentials, for the console page. */
const search: Operation = (call) =>
  Result.gen(function* () {
    const { source, request, filter } = yield* wantedBy(call)
    const found = FilteredSearch.search(source, request, filter)
    return ok(TransferSearch.toJson(yield* Result.mapError(found, (error) => rejection(400, [error]))))
  })

const count: Operation = (call) =>
  Result.gen(function* () {
    const { source, request, filter } = yield* wantedBy(call)
    const counted = FilteredSearch.count(source, request, filter)
    return okJson(yield* Result.mapError(counted, (error) => rejection(400, [error])))
  })

/** Those with the parameters of the contract, which are checked as the contract's are. */
const searches: ReadonlySet<Operation> = new Set([search, count])

const insert: Operation = (call) =>
  Result.gen(function* () {
    const body = yield* json(call.body)
    const list = Array.isArray(body) ? body : [body]
    if (!list.every(Predicate.isReadonlyObject))
      return yield* Result.fail(invalid("Send a transfer, or an array of transfers."))
    if (list.length > Insertions.most)
      return yield* Result.fail(invalid(`Send at most ${Insertions.most} transfers in a request, not ${list.length}.`))
    const ids = yield* Result.mapError(FakeState.insert(call.service, yield* sourceOf(call), list), (error) =>
      invalid(error.message),
    )
    return okJson({ ids }, 201)
  })

const clear: Operation = (call) =>
  Result.map(sourceOf(call), ({ store }) => {
    TransferStore.clear(store)
    return done
  })

const get: Operation = (call) =>
  Result.flatMap(sourceOf(call), ({ store }) => {
    const found = TransferStore.get(store, call.id)
    return found === undefined
      ? Result.fail(notFound(`There is no transfer ${quoted(call.id)}.`))
      : Result.succeed(ok([found]))
  })

const change: Operation = (call) =>
  Result.gen(function* () {
    const { store } = yield* sourceOf(call)
    const fields = yield* json(call.body)
    if (!Predicate.isReadonlyObject(fields))
      return yield* Result.fail(invalid("Send the fields to change as an object."))
    yield* Result.mapError(TransferStore.change(store, call.id, fields), (error) =>
      error._tag === "NoSuchTransfer" ? notFound(error.message) : invalid(error.message),
    )
    return yield* get(call)
  })

const remove: Operation = (call) =>
  Result.gen(function* () {
    const { store } = yield* sourceOf(call)
    yield* Result.mapError(TransferStore.remove(store, call.id), (error) => notFound(error.message))
    return done
  })

const reset: Operation = ({ service }) => {
  FakeState.reset(service)
  return Result.succeed(done)
}

const setCapabilities: Operation = ({ service, body }) =>
  Result.flatMap(json(body), () =>
    Result.mapBoth(FakeState.setCapabilities(service, body), {
      onSuccess: () => done,
      onFailure: (reason) => invalid(`Not capabilities: ${reason}.`),
    }),
  )

const requests: Operation = ({ service, query }) =>
  Result.gen(function* () {
    const { status, page, ...texts } = Object.fromEntries(new URLSearchParams(query))
    const filter = { ...texts, status: yield* whole("status", status), page: yield* whole("page", page) }
    return okJson({ requests: RequestFilter.select(Journal.entries(service.journal), filter) })
  })

const whole = (name: string, text: string | undefined): Result.Result<number | undefined, Response> => {
  if (text === undefined) return Result.succeed(undefined)
  return /^[0-9]{1,9}$/.test(text)
    ? Result.succeed(Number(text))
    : Result.fail(invalid(`${name} must be a whole number, not ${quoted(text)}.`))
}

/** A request of the journal, with its response if that is still kept. */
const getRequest: Operation = ({ service, id }) => {
  const entry = Journal.entries(service.journal).find((each) => each.id === id)
  if (entry === undefined) return Result.fail(notFound(`There is no request ${quoted(id)}.`))
  return Result.succeed(okJson({ ...entry, response: KeptResponses.find(service.responses, id) }))
}

/** The parameters of operations with more than `partner`; the search checks its own. */
const parametersOf: ReadonlyMap<Operation, ReadonlyArray<string>> = new Map([[requests, RequestFilter.names]])

const addFaults: Operation = ({ service, body }) =>
  Result.gen(function* () {
    const rules = yield* json(body)
    const repeat = JsonSyntax.repeatOf(body)
    if (repeat !== undefined) return yield* Result.fail(invalid(`Not fault rules: ${repeat}.`))
    yield* Result.mapError(FakeState.addRules(service, rules), (error) => invalid(error.message))
    return okJson({ rules: ActiveRules.list(service.rules) }, 201)
  })

const removeFault: Operation = ({ service, id }) =>
  ActiveRules.remove(service.rules, id)
    ? Result.succeed(done)
    : Result.fail(notFound(`There is no fault rule ${quoted(id)}.`))

const advance: Operation = ({ service, body }) =>
  Result.gen(function* () {
    const fields = yield* json(body)
    const { by, ...more } = Predicate.isReadonlyObject(fields) ? fields : {}
    if (typeof by !== "string" || Object.keys(more).length > 0) {
      return yield* Result.fail(invalid('Send {"by":"15m"}, how far to advance the clock, and nothing else.'))
    }
    const duration = yield* Result.mapError(DurationText.parse(by), (error) => invalid(error.message))
    yield* Result.mapError(FakeState.advance(service, duration), (error) => invalid(error.message))
    return okJson(clockOf(service))
  })

const clockOf = (service: FakeState.FakeState) => {
  const source = FakeState.sourceOf(service, undefined)
  return { now: Result.isSuccess(source) ? TransferStore.now(source.success.store).text : null }
}

const health: Operation = ({ service }) =>
  Result.succeed(
    okJson({
      status: "ok",
      ...clockOf(service),
      requests: service.requests,
      partners: [...service.sources.values()].map(({ partner, store }) => ({
        partner,
        transfers: TransferStore.size(store),
      })),
    }),
  )

const routes: ReadonlyMap<string, Readonly<Record<string, Operation>>> = new Map<string, Record<string, Operation>>([
  ["transfers", { GET: search, POST: insert, DELETE: clear }],
  ["transfers/:id", { GET: get, PATCH: change, DELETE: remove }],
  ["count", { GET: count }],
  ["reset", { POST: reset }],
  ["capabilities", { GET: ({ service }) => Result.succeed(ok([service.capabilities])), PUT: setCapabilities }],
  [
    "requests",
    {
      GET: requests,
      DELETE: ({ service }) => {
        FakeState.clearJournal(service)
        return Result.succeed(done)
      },
    },
  ],
  ["requests/:id", { GET: getRequest }],
  [
    "faults",
    {
      GET: ({ service }) => Result.succeed(okJson({ rules: ActiveRules.list(service.rules) })),
      POST: addFaults,
      DELETE: ({ service }) => {
        ActiveRules.clear(service.rules)
        return Result.succeed(done)
      },
    },
  ],
  ["faults/:id", { DELETE: removeFault }],
  ["clock/advance", { POST: advance }],
  ["health", { GET: health }],
  ["events", { GET: () => Result.succeed("events") }],
])
