/** The port to the service: one operation per endpoint of partner-api.md. Adapters are separate packages. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Capabilities } from "./Capabilities.ts"
import type { Origin } from "./Origin.ts"
import type { SearchRequest } from "./SearchRequest.ts"
import type { TransferApiError } from "./TransferApiError.ts"
import type { TransferPage } from "./TransferPage.ts"

/** The two read-only operations of the service. */
export class TransferApi extends Context.Service<
  TransferApi,
  {
    /** Whose transfers they are. Undefined if it cannot be known, as of transfers that a test makes up. */
    readonly origin: Effect.Effect<Origin | undefined, TransferApiError>
    /** What the service supports. */
    readonly capabilities: Effect.Effect<Capabilities, TransferApiError>
    /** One page of the calling partner's transfers. */
    readonly search: (request: SearchRequest) => Effect.Effect<TransferPage, TransferApiError>
  }
>()("@transferkit/domain/TransferApi") {}
