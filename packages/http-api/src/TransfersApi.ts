/**
 * The contract of partner-api.md as an Effect `HttpApi`: endpoints, parameters, security and errors, for derived clients,
 * servers and documents.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { maxLimit } from "@transferkit/domain/SearchRequest"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import * as S from "effect/Schema"
import { refineOpenApi } from "./internal/RefineOpenApi.ts"
import * as Paths from "./Paths.ts"
import * as SearchQuery from "./SearchQuery.ts"

const ErrorEntry = S.Struct({ code: S.String, message: S.String }).annotate({ identifier: "ErrorEntry" })

const ErrorBody = S.Struct({ errors: S.Array(ErrorEntry) }).annotate({ identifier: "ErrorBody" })

const failure = (status: number, description: string) =>
  ErrorBody.pipe(HttpApiSchema.status(status)).annotate({ description })

/** HTTP Basic with a partner id and a secret key. */
export class BasicAuth extends HttpApiMiddleware.Service<BasicAuth>()("@transferkit/http-api/BasicAuth", {
  requiredForClient: true,
  security: { basic: HttpApiSecurity.basic },
  error: failure(401, "The credentials are missing or wrong."),
}) {}

const rejections = [
  failure(400, "A parameter is unknown or has a value that is not accepted."),
  failure(429, "Too many requests."),
] as const

const capabilities = HttpApiEndpoint.get("capabilities", Paths.capabilities, {
  success: Capabilities.Wire,
  error: rejections,
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read capabilities",
    description: "Supported countries, currencies and payment methods, and the transfer limits per fiat currency.",
  }),
)

const query = {
  external_id: S.optionalKey(S.String),
  created_at: S.optionalKey(S.Array(S.String)),
  limit: S.optionalKey(S.Int.check(S.isBetween({ minimum: 1, maximum: maxLimit }))),
  after_cursor: S.optionalKey(S.String),
}

const search = HttpApiEndpoint.get("search", Paths.search, {
  query,
  success: TransferPage.Wire,
  error: rejections,
}).annotateMerge(
  OpenApi.annotations({
    summary: "Search for transfers",
    description: "One page of the calling partner's transfers, with a cursor to the next one.",
    override: {
      // By which Speakeasy generates methods that read all pages.
      "x-speakeasy-pagination": {
        type: "cursor",
        inputs: [{ name: "after_cursor", in: "parameters", type: "cursor" }],
        outputs: { nextCursor: "$.page_info.end_cursor", results: "$.results" },
      },
      parameters: SearchQuery.names.map((name) => {
        const { description, schema, example } = SearchQuery.parameters[name]
        return { name, in: "query", required: false, description, schema, ...(example !== undefined && { example }) }
      }),
    },
  }),
)

/** The operations in one group, called by their names: `client.search({ query })`. */
export class TransfersGroup extends HttpApiGroup.make("transfers", { topLevel: true })
  .add(capabilities)
  .add(search)
  .annotate(OpenApi.Description, "What the service supports, and the transfers of the calling partner.")
  .middleware(BasicAuth) {}

/** The whole contract. */
export class TransfersApi extends HttpApi.make("transfers")
  .add(TransfersGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Transfer capabilities and transfer search",
      version: "1.0.0",
      description: "Moves value between a fiat payment method and a crypto wallet. These two operations only read.",
      license: { name: "MIT", identifier: "MIT" },
      // Below the base URL of a deployment.
      servers: [{ url: "/" }],
    }),
  )
  .annotate(OpenApi.Transform, refineOpenApi) {}
