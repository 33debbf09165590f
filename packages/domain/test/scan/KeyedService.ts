/** A service that compares another time than the `created_at` that it shows, or does not compare with every bound. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { UnexpectedStatus } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { page } from "../ScriptedService.ts"

/** A transfer: when it shows that it was created, and what requests are compared with. Both in milliseconds. */
export interface Row {
  readonly id: string
  readonly shown: number
  readonly compared: number
}

export interface Service {
  readonly rows: ReadonlyArray<Row>
  /** Bounds that it does not know. */
  readonly ignores?: ReadonlyArray<"gte" | "lt">
  /** Whether `lt` is inclusive. */
  readonly isInclusive?: boolean
}

/** Its pager, and how many requests it was sent. */
export const make = ({ rows, ignores = [], isInclusive = false }: Service) => {
  const sent = { requests: 0 }
  const isListed = ({ compared }: Row, values: ReadonlyArray<string>): boolean =>
    values.every((value) => {
      const [operator = "", bound = ""] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)]
      const at = Date.parse(bound)
      if (ignores.some((ignored) => ignored === operator)) return true
      return operator === "gte" ? compared >= at : isInclusive ? compared <= at : compared < at
    })
  const search = ({ created_at = [], limit = 20, after_cursor }: SearchRequest) => {
    sent.requests++
    const from = Number(after_cursor ?? 0)
    const listed = rows.filter((row) => isListed(row, created_at))
    const ids = listed.slice(from, from + limit).map(({ id, shown }) => `${id}@${new Date(shown).toISOString()}`)
    return page({ ids, ...(from + limit < listed.length && { next: String(from + limit) }) })
  }
  const layer = TransferPager.TransferPager.layer.pipe(
    Layer.provide(
      Layer.succeed(TransferApi, {
        origin: Effect.succeed(undefined),
        capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
        search: (request) =>
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => search(request)),
          ),
      }),
    ),
  )
  return { layer, sent }
}

/** An instant in milliseconds. */
export const instant = (at: number): Timestamp.Timestamp => Timestamp.parseUnsafe(new Date(at).toISOString())
