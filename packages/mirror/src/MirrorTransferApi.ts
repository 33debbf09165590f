/** The domain's TransferApi over a mirror: every command and library that reads the service can read a mirror instead. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { Dialect } from "@transferkit/domain/Dialect"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { ConnectionFailed, InvalidRequest } from "@transferkit/domain/TransferApiError"
import type * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Cursor from "./internal/Cursor.ts"
import * as Driver from "./internal/Driver.ts"
import * as TransferRows from "./internal/TransferRows.ts"
import { MirrorError } from "./MirrorError.ts"
import * as MirrorState from "./MirrorState.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** Whose transfers to serve. */
export interface Options {
  readonly partner_id: string
}

/**
 * Serves the transfers of one partner, the newest first. A cursor stays valid while transfers come and go.
 *
 * @example
 * const search = Effect.flatMap(MirrorTransferApi.make({ partner_id: "demo" }), (api) => api.search({ limit: 3 }))
 * (await run(search)).results.length // => 3
 */
export const make = Effect.fnUntraced(function* ({ partner_id }: Options) {
  const mirror = yield* TransferMirror
  const { run } = Driver.of(mirror)
  const { lteToken = "lte" } = yield* Dialect
  const capabilities = MirrorState.capabilities(partner_id).pipe(
    Effect.provideService(TransferMirror, mirror),
    Effect.mapError(unread),
    Effect.flatMap((found) =>
      found === undefined
        ? unread(
            new MirrorError({ kind: "usage", mirror: mirror.address, reason: "it has no capabilities: sync it first" }),
          )
        : Effect.succeed(found),
    ),
  )
  const search: TransferApi["Service"]["search"] = Effect.fn("MirrorTransferApi.search")(function* (request) {
    const { external_id, created_at = [], limit = SearchRequest.maxLimit, after_cursor } = request
    if (!Number.isInteger(limit) || limit < 1 || limit > SearchRequest.maxLimit) {
      return yield* invalid(`limit must be a whole number from 1 to ${SearchRequest.maxLimit}, not ${limit}`)
    }
    const filter = CreatedAt.fromParams(created_at, { lteToken })
    if (Result.isFailure(filter)) return yield* invalid(filter.failure.message)
    const scope = JSON.stringify([partner_id, external_id ?? null, String(filter.success)])
    const after = after_cursor === undefined ? undefined : Cursor.decode(after_cursor, scope)
    if (after === "invalid") {
      return yield* invalid(
        "after_cursor was not issued here: send the end_cursor of the page before, with the same external_id and created_at",
      )
    }
    const [interval] = CreatedAt.intervals(filter.success)
    if (interval === undefined) return { results: [], page_info: { has_next_page: false } }
    const [view, order] = ["transfers", "newest-first"] as const
    const rows = yield* Effect.mapError(
      run((sql) => TransferRows.read(sql, { view, partner_id, interval, external_id, after, order, limit: limit + 1 })),
      unread,
    )
    const found = rows.slice(0, limit)
    const last = found.at(-1)
    const page: TransferPage.TransferPage = {
      results: found.map(({ transfer }) => transfer),
      page_info: {
        ...(last === undefined ? {} : { end_cursor: Cursor.encode(last, scope) }),
        has_next_page: rows.length > limit,
      },
    }
    return page
  })
  const origin = MirrorState.origin(partner_id).pipe(
    Effect.provideService(TransferMirror, mirror),
    Effect.mapError(unread),
  )
  return TransferApi.of({ origin, capabilities, search })
})

/**
 * The service as a layer.
 *
 * @example
 * const search = Effect.flatMap(TransferApi, (api) => api.search({ limit: 3 }))
 * (await run(Effect.provide(search, MirrorTransferApi.layer({ partner_id: "demo" })))).results.length // => 3
 */
export const layer = (options: Options): Layer.Layer<TransferApi, never, TransferMirror> =>
  Layer.effect(TransferApi, make(options))

const invalid = (message: string) =>
  new InvalidRequest({ status: 400, errors: [{ code: "invalid_parameter", message }] })

/** The port has errors of a service only. This one has the words of the mirror's, which is its cause. */
class MirrorUnread extends ConnectionFailed {
  override readonly cause: MirrorError
  constructor(cause: MirrorError) {
    super({ reason: cause.message, isPermanent: true })
    this.cause = cause
  }
  override get message(): string {
    return this.cause.message
  }
}

const unread = (error: MirrorError) => new MirrorUnread(error)
