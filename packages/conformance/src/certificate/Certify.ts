/**
 * Certifies a deployment: checks every law of HTTP against it. It only reads, within a budget of requests and at a rate,
 * and follows no redirect, so the credentials go nowhere else.
 */
import * as Timestamp from "@transferkit/domain/Timestamp"
import { ConnectionFailed, Unauthorized } from "@transferkit/domain/TransferApiError"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import type { CaseResponse, ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type RawRequest, RawRequests, type RawResponse } from "../RawRequests.ts"
import * as CaseResponses from "./CaseResponses.ts"
import type { Certificate, Evidence, LawResult } from "./Certificate.ts"
import * as FilterLaws from "./FilterLaws.ts"
import type { HttpLaw } from "./HttpLaw.ts"
import * as PagingLaws from "./PagingLaws.ts"
import * as RejectionLaws from "./RejectionLaws.ts"
import * as ResponseLaws from "./ResponseLaws.ts"
import * as ServiceSample from "./ServiceSample.ts"
import * as Trial from "./Trial.ts"

/** All laws, in the order in which they are checked. */
export const laws: ReadonlyArray<HttpLaw> = [
  ...ResponseLaws.laws,
  ...PagingLaws.laws,
  ...FilterLaws.laws,
  ...RejectionLaws.laws,
  PagingLaws.cursorLife,
  ...ResponseLaws.lawsOfAll,
]

/** What is certified, and within which limits. */
export interface Options extends Pick<Trial.Limits, "requests" | "rate"> {
  /** The base URL of the deployment, for the certificate. */
  readonly origin: string
  /** The version of the program, for the certificate. */
  readonly version: string
  /** Runs before each request, with the number of those sent and what is checked. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
}

/** The progress of a certification. */
export interface Progress {
  readonly requests: number
  /** The laws that are checked, of all. */
  readonly laws: number
  readonly of: number
}

/** Fails if the deployment does not answer, or not to this partner: then there is nothing to certify. One request. */
export const reach: Effect.Effect<void, ConnectionFailed | Unauthorized, RawRequests> = Effect.gen(function* () {
  const raw = yield* RawRequests
  const { status, header } = yield* Effect.mapError(
    raw.get({ path: ServiceSample.searchPath, query: [["limit", "1"]] }),
    ({ reason }) => new ConnectionFailed({ reason }),
  )
  if (status === 401 || status === 403) {
    return yield* new Unauthorized({ status, requestId: header("x-request-id") })
  }
})

/** Certifies the deployment behind the requests. It does not fail: what cannot be found out is not decidable. */
export const certify = Effect.fn("Certify.certify")(function* (
  options: Options,
): Effect.fn.Return<Certificate, never, RawRequests> {
  const raw = yield* RawRequests
  const started = yield* Clock.currentTimeMillis
  const results: Array<LawResult> = []
  const { onProgress } = options
  const trial = yield* Trial.make(raw, {
    ...options,
    onRequest: onProgress && ((requests) => onProgress({ requests, laws: results.length, of: laws.length })),
  })
  const sample = yield* sampleOf(trial)
  let behaviour: ServiceBehaviour = {}
  for (const law of laws) {
    const outcome = yield* Effect.result(law.check(trial, sample))
    const { id, meaning } = law
    if (Result.isSuccess(outcome)) {
      const { verdict, found, exchange } = outcome.success
      const shown = exchange ?? trial.latest()
      const evidence = verdict === "broken" && shown !== undefined && evidenceOf(options.origin, shown)
      results.push({ id, meaning, verdict, found, ...(evidence !== false && { evidence }) })
      behaviour = merged(behaviour, outcome.success.behaviour ?? {})
    } else {
      // That there was none is the finding of one law, which is checked at the end.
      const { _tag, reason } = outcome.failure
      const found = _tag === "NoResponse" ? `there was no whole response: ${reason}` : reason
      results.push({ id, meaning, verdict: "not decidable", found })
    }
  }
  const certificate: Certificate = {
    certificate: 1,
    origin: options.origin,
    made_at: Timestamp.fromDate(new Date(started)).text,
    version: options.version,
    requests: trial.sent(),
    laws: results,
    behaviour,
  }
  return raw.redact === undefined ? certificate : redacted(certificate, raw.redact)
})

/** Once more at the end, because a finding may be decoded, or put together of parts. What is ours stays as it is. */
const redacted = (certificate: Certificate, redact: (text: string) => string): Certificate => {
  const record = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [redact(name), redact(value)]))
  const response = <A extends CaseResponse>(given: A): A => {
    const body = given.body !== undefined && { body: redact(given.body) }
    return { ...given, headers: record(given.headers), ...body }
  }
  const laws = certificate.laws.map(({ evidence, ...law }) => {
    const shown = evidence?.response && { response: response(evidence.response) }
    return { ...law, found: redact(law.found), ...(evidence && { evidence: { ...evidence, ...shown } }) }
  })
  const { encodings, unknown_fields, headers, responses = {} } = certificate.behaviour
  const cases = Object.entries(responses).map(([name, given]) => [name, response(given)] as const)
  const behaviour = {
    ...certificate.behaviour,
    ...(encodings && { encodings: encodings.map(redact) }),
    ...(unknown_fields && { unknown_fields: unknown_fields.map(redact) }),
    ...(headers && { headers: record(headers) }),
    ...(cases.length > 0 && { responses: Object.fromEntries(cases) }),
  }
  return { ...certificate, laws, behaviour }
}

/** The sample, as far as the service lets it be read. */
const sampleOf = Effect.fnUntraced(function* (trial: Trial.Trial) {
  const before = yield* Clock.currentTimeMillis
  const first = yield* Effect.option(trial.get({ path: ServiceSample.searchPath, query: [["limit", "20"]] }))
  const exchange = trial.latest()
  const at = ((yield* Clock.currentTimeMillis) + before) / 2
  const none: ServiceSample.ServiceSample = {
    first: exchange,
    pages: [],
    transfers: [],
    window: Result.fail("the first response is not a page"),
    at,
  }
  if (first._tag === "None" || ServiceSample.pageOf(first.value) === undefined) return none
  const { pages, odd } = yield* ServiceSample.readPages(trial)
  const transfers = ServiceSample.transfersOf(pages)
  const window = yield* Effect.match(ServiceSample.findWindow(trial, transfers), {
    onSuccess: (found) => found,
    onFailure: ({ reason }) => Result.fail(reason),
  })
  const sample: ServiceSample.ServiceSample = { ...none, pages, odd, transfers, window }
  return sample
})

const merged = (known: ServiceBehaviour, found: Partial<ServiceBehaviour>): ServiceBehaviour => ({
  ...known,
  ...found,
  ...((known.responses !== undefined || found.responses !== undefined) && {
    responses: { ...known.responses, ...found.responses },
  }),
})

/** The start of a body that is shown. */
const maxBody = 1024

/** An exchange for people: without credentials, and without what only the partner may see of transfers. */
export const evidenceOf = (origin: string, { request, response }: Trial.Exchange): Evidence => ({
  request: curlOf(origin, request),
  ...(response !== undefined && {
    response: { status: response.status, headers: CaseResponses.headersOf(response), body: bodyOf(response) },
  }),
})

const bodyOf = (response: RawResponse): string => {
  const page = ServiceSample.pageOf(response)
  const body =
    page === undefined
      ? // A page that breaks its shape may have transfers, too.
        response.status < 400
        ? CaseResponses.shapeOf(response.body)
        : response.body
      : JSON.stringify({
          results: page.results.map(({ id, created_at }) => ({ id, created_at: created_at.text })),
          page_info: {
            has_next_page: page.page_info.has_next_page,
            has_cursor: page.page_info.end_cursor !== undefined,
          },
        })
  return body.length > maxBody ? `${body.slice(0, maxBody)}…` : body
}

const curlOf = (origin: string, { path, query = [], credentials = "own", encoding }: RawRequest): string => {
  const shown = query.map(([name, value]) => [name, name === "external_id" ? "EXTERNAL_ID" : value] as const)
  const encoded = Result.getOrElse(SearchQuery.encodePairs(shown), () => "")
  const users = { own: "<partner id>:<secret key>", none: undefined, other: "no-such-partner:no-such-secret" }
  const user = users[credentials]
  return [
    "curl",
    ...(user === undefined ? [] : [`--user ${quote(user)}`]),
    `--header 'accept: application/json'`,
    ...(encoding === undefined ? [] : ["--compressed"]),
    quote(`${origin.endsWith("/") ? origin.slice(0, -1) : origin}${path}${encoded === "" ? "" : `?${encoded}`}`),
  ].join(" ")
}

/** For a POSIX shell, where only the quote itself is special between single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
