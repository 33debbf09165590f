/** The laws of requests that a service has to reject, and of its credentials. */
import type { Case, ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"
import * as Effect from "effect/Effect"
import type { RawRequest, RawResponse } from "../RawRequests.ts"
import * as CaseResponses from "./CaseResponses.ts"
import { broken, type HttpLaw, kept, make } from "./HttpLaw.ts"
import * as Sample from "./ServiceSample.ts"

/** A request that has to be rejected, with the statuses that say so. */
interface Rejected {
  readonly case: Case
  readonly id: string
  readonly meaning: string
  readonly request: RawRequest
  readonly statuses?: ReadonlyArray<number>
}

const ofSearch = (...query: Sample.Query): RawRequest => ({ path: Sample.searchPath, query })

const all: ReadonlyArray<Rejected> = [
  { case: "limit_zero", id: "limit-zero", meaning: "A limit of 0 is rejected", request: ofSearch(["limit", "0"]) },
  { case: "limit_above", id: "limit-above", meaning: "A limit of 21 is rejected", request: ofSearch(["limit", "21"]) },
  {
    case: "limit_text",
    id: "limit-text",
    meaning: "A limit that is no number is rejected",
    request: ofSearch(["limit", "many"]),
  },
  {
    case: "created_at_operator",
    id: "created-at-operator",
    meaning: "A created_at without an operator is rejected",
    request: ofSearch(["created_at", "2024-09-01T00:00:00Z"], ["limit", "1"]),
  },
  {
    case: "created_at_text",
    id: "created-at-text",
    meaning: "A created_at that is no timestamp is rejected",
    request: ofSearch(["created_at", "gte:yesterday"], ["limit", "1"]),
  },
  {
    case: "after_cursor",
    id: "cursor-invented",
    meaning: "A cursor that the service has not issued is rejected",
    request: ofSearch(["after_cursor", "invented"], ["limit", "1"]),
  },
  {
    case: "no_credentials",
    id: "credentials-none",
    meaning: "A request without credentials is rejected with 401",
    request: { ...ofSearch(["limit", "1"]), credentials: "none" },
    statuses: [401],
  },
  {
    case: "other_credentials",
    id: "credentials-other",
    meaning: "A partner that does not exist is rejected with 401 or 403",
    request: { ...ofSearch(["limit", "1"]), credentials: "other" },
    statuses: [401, 403],
  },
  {
    case: "unknown_path",
    id: "unknown-path",
    meaning: "A path that does not exist is answered with 404",
    request: { path: "/v1/no-such-operation" },
    statuses: [404],
  },
]

const isRejection = (status: number): boolean => status >= 400 && status < 500 && status !== 408

/** Both responses to the same request, and what they have in common. */
const twice = Effect.fnUntraced(function* (trial: Parameters<HttpLaw["check"]>[0], request: RawRequest) {
  const response = yield* trial.get(request)
  const again = yield* trial.get(request)
  return { response, shape: CaseResponses.of(response, again) }
})

const behaviourOf = (
  found: Case,
  response: RawResponse,
  shape: ReturnType<typeof CaseResponses.of>,
): Partial<ServiceBehaviour> => {
  const responses = { responses: { [found]: shape } }
  if (found !== "limit_above") return responses
  const rows = Sample.pageOf(response)?.results.length
  if (rows === undefined) return { ...responses, limit_above: "rejected" }
  return { ...responses, limit_above: rows > 20 ? "served" : "capped" }
}

const rejected = (law: Rejected): HttpLaw =>
  make(law.id, law.meaning, (trial) =>
    Effect.gen(function* () {
      const { response, shape } = yield* twice(trial, law.request)
      const { status } = response
      const isKept = law.statuses?.includes(status) ?? isRejection(status)
      const found = status === 200 ? "it is accepted" : CaseResponses.describe(response)
      return { ...(isKept ? kept(found) : broken(found)), behaviour: behaviourOf(law.case, response, shape) }
    }),
  )

export const laws: ReadonlyArray<HttpLaw> = [
  ...all.map(rejected),
  make("credentials-scheme", "A rejection for the credentials asks for the scheme Basic", (trial) =>
    Effect.gen(function* () {
      const response = yield* trial.get({ ...ofSearch(["limit", "1"]), credentials: "none" })
      if (response.status !== 401) return broken(`status ${response.status}`)
      const scheme = response.header("www-authenticate")
      if (scheme === undefined) return broken("there is no WWW-Authenticate")
      return /^basic\b/i.test(scheme) ? kept("WWW-Authenticate is Basic") : broken("WWW-Authenticate is another scheme")
    }),
  ),
  make("unknown-parameter", "A parameter that does not exist is ignored or rejected", (trial) =>
    Effect.gen(function* () {
      const { response, shape } = yield* twice(trial, ofSearch(["limit", "1"], ["no_such_parameter", "1"]))
      const { status } = response
      const responses = { unknown_parameter: shape }
      if (status === 200) return kept("it is ignored", { unknown_parameters: "ignored", responses })
      const found = CaseResponses.describe(response)
      const behaviour = { unknown_parameters: "rejected", responses } as const
      return { ...(isRejection(status) ? kept(found) : broken(found)), behaviour }
    }),
  ),
  make("rejection-type", "The body of a rejection is what its content type says", (trial) =>
    Effect.gen(function* () {
      const response = yield* trial.get(ofSearch(["limit", "0"]))
      if (response.status < 400) return broken("a limit of 0 is accepted")
      const type = response.header("content-type") ?? ""
      const isJson = /^application\/(?:[\w.]+\+)?json\b/i.test(type)
      const shape = CaseResponses.describe(response)
      if (!isJson) return kept(type === "" ? "no content type" : type.replace(/;.*/s, ""))
      return shape.endsWith("not JSON") || shape.endsWith("empty body") || shape.endsWith("too deep")
        ? broken(shape)
        : kept("JSON")
    }),
  ),
  make("request-id", "Each response has an id of its own, if it has one", (_, { pages }) =>
    Effect.sync(() => {
      const ids = pages.map(({ response }) => response.header("x-request-id"))
      const known = ids.filter((id) => id !== undefined)
      if (known.length === 0) return kept("there is none")
      return new Set(known).size === known.length
        ? kept("x-request-id")
        : broken("two responses have the same x-request-id")
    }),
  ),
]
