/** The contract as an OpenAPI 3.1 document. */
import * as OpenApi from "effect/http-api/OpenApi"
import { TransfersApi } from "./TransfersApi.ts"

/** The document, without a server: operations are below the base URL of a deployment. */
export const document: OpenApi.OpenAPISpec = OpenApi.fromApi(TransfersApi)
