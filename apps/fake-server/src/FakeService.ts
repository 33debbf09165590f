/** The service itself: requests in, answers out, exactly as partner-api.md says, without a socket in sight. */
import type { Capabilities } from "@transferkit/domain/Capabilities"
import { paths } from "@transferkit/http-api/TransfersApi"
import { sample } from "@transferkit/in-memory/SampleCapabilities"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"
import { type Answer, ok, refusal, type Request } from "./Exchange.ts"
import * as Partners from "./Partners.ts"
import * as SearchParameters from "./SearchParameters.ts"

/** What the service holds and how it answers. */
export interface Options {
  /** Partners as `<id>:<secret>`. @default ["demo:demo-secret"] */
  readonly partners?: ReadonlyArray<string> | undefined
  /** How many transfers to generate for each partner. @default 0 */
  readonly transfers?: number | undefined
  /** Another seed gives other transfers. @default 1 */
  readonly seed?: number | undefined
  /** Wire objects to start with, for the first partner. */
  readonly data?: Iterable<unknown> | undefined
  /** @default "newest-first" */
  readonly order?: TransferStore.SortOrder | undefined
  /** The operator "less than or equal" of `created_at`; `undefined` for none. @default "lte" */
  readonly lteToken?: string | undefined
  /** The limit where none is given. @default 20 */
  readonly defaultLimit?: number | undefined
  /** @default SampleCapabilities.sample */
  readonly capabilities?: Capabilities | undefined
  /** Pass over unknown parameters. @default false */
  readonly lenient?: boolean | undefined
}

/** The state of one fake. */
export interface FakeService {
  readonly partners: ReadonlyMap<string, Partners.Partner>
  readonly sources: ReadonlyMap<string, TransferSearch.Source>
  readonly capabilities: Uint8Array
  readonly lenient: boolean
}

/** A service. Fails where a partner or a transfer of the options is not one. */
export const make = (
  options: Options,
): Result.Result<FakeService, Partners.InvalidPartner | TransferStore.InvalidTransfer> =>
  Result.gen(function* () {
    const { order, seed, transfers = 0 } = options
    const dialect = {
      lteToken: "lteToken" in options ? options.lteToken : TransferSearch.defaultDialect.lteToken,
      defaultLimit: options.defaultLimit ?? TransferSearch.defaultDialect.defaultLimit,
    }
    const partners = new Map<string, Partners.Partner>()
    const sources = new Map<string, TransferSearch.Source>()
    for (const text of options.partners ?? [Partners.defaultPartner]) {
      const partner = yield* Partners.parse(text)
      const generator = TransferGenerator.make({ count: transfers, seed, partner: partner.id })
      const store = TransferStore.make({ order, generator })
      if (partners.size === 0) for (const wire of options.data ?? []) yield* TransferStore.insert(store, wire)
      partners.set(partner.id, partner)
      sources.set(partner.id, { partner: partner.id, store, cursorKey: `fake ${seed ?? 1}`, dialect })
    }
    return {
      partners,
      sources,
      capabilities: Buffer.from(JSON.stringify(options.capabilities ?? sample), "utf8"),
      lenient: options.lenient ?? false,
    }
  })

/** The answer to a request. */
export const answer = (self: FakeService, request: Request): Answer => {
  const mark = request.target.indexOf("?")
  const path = mark === -1 ? request.target : request.target.slice(0, mark)
  const query = mark === -1 ? "" : request.target.slice(mark + 1)
  if (path !== paths.search && path !== paths.capabilities) {
    return refusal(404, [{ code: "not_found", message: `There is nothing at ${path.slice(0, 200)}.` }])
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    const message = `${request.method} is not possible here. Use GET.`
    return refusal(405, [{ code: "method_not_allowed", message }], { allow: "GET, HEAD" })
  }
  const { authorization } = request.headers
  const partner = typeof authorization === "string" ? Partners.authenticate(self.partners, authorization) : undefined
  const source = partner && self.sources.get(partner.id)
  if (source === undefined) return unauthorized
  return path === paths.search ? search(self, source, query) : capabilities(self, query)
}

const unauthorized = refusal(
  401,
  [{ code: "unauthorized", message: "Send the partner id and the secret key as HTTP Basic credentials." }],
  { "www-authenticate": 'Basic realm="transfers", charset="UTF-8"' },
)

const capabilities = (self: FakeService, query: string): Answer =>
  query === "" || self.lenient
    ? ok([self.capabilities])
    : refusal(400, [
        { code: "unknown_parameter", message: `This operation has no parameters, not ${query.slice(0, 64)}` },
      ])

const search = (self: FakeService, source: TransferSearch.Source, query: string): Answer => {
  const page = Result.flatMap(SearchParameters.parse(query, self), (request) => TransferSearch.search(source, request))
  return Result.isSuccess(page) ? ok(TransferSearch.toJson(page.success)) : refusal(400, [page.failure])
}
