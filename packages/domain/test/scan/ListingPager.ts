/** The pager over a listing whose requests take 20 ms each, and the ids that it delivers. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import { InvalidRequest, ServiceUnavailable, UnexpectedStatus } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Row } from "./History.ts"
import type { Listing } from "./Listing.ts"

const expired = new InvalidRequest({ status: 400, errors: [{ code: "cursor", message: "expired" }] })

export const pagerOf = (listing: Listing) =>
  TransferPager.TransferPager.layer.pipe(
    Layer.provide(
      Layer.succeed(TransferApi, {
        origin: Effect.succeed(undefined),
        capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
        search: (request) =>
          Effect.andThen(
            Effect.sleep("20 millis"),
            Effect.try({
              try: () => listing.page(request),
              catch: (error) => (error instanceof ServiceUnavailable ? error : expired),
            }).pipe(
              Effect.filterOrFail(
                (page) => page !== undefined,
                () => expired,
              ),
            ),
          ),
      }),
    ),
  )

export const idsOf = (batches: ReadonlyArray<TransferPager.Batch>): ReadonlyArray<string> =>
  batches.flatMap(({ results }) => results.map(({ id }) => String(id)))

export const sorted = (ids: ReadonlyArray<string>): ReadonlyArray<string> => ids.toSorted()

export const idsIn = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => sorted(rows.map(({ id }) => id))
