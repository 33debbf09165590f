/** A service that compares another time than the `created_at` that it shows, or otherwise than with every bound. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as ScriptedService from "../ScriptedService.ts"

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
  /** Whether `gte` is exclusive. */
  readonly isExclusive?: boolean
  /** Whether a cursor goes on with the latest query, whichever one it came with. */
  readonly mixesCursors?: boolean
  /** A transfer that is listed by its own second alone, and by intervals that are not its own. */
  readonly misplaced?: string
  /** A bound that is compared by multiples of this, in milliseconds: `gte` by the next one, `lt` by the one before. */
  readonly coarse?: { readonly bound: "gte" | "lt"; readonly by: number }
  /** The time by which a transfer is found where more than an hour is asked for. */
  readonly filed?: { readonly id: string; readonly at: number }
  /** A transfer that is listed by intervals of at least so many milliseconds, and of less than three seconds, alone. */
  readonly hidden?: { readonly id: string; readonly below: number }
  /** A transfer that the responses to these requests lack, counted from 1. */
  readonly forgotten?: { readonly id: string; readonly by: ReadonlyArray<number> }
}

/** Its pager, how many requests it was sent, and the transfers that it sent. */
export const make = (service: Service) => {
  const { rows, ignores = [], isInclusive = false, isExclusive = false, mixesCursors = false } = service
  const { misplaced, coarse, filed, hidden, forgotten } = service
  const sent = { requests: 0, rows: new Set<Row>() }
  let latest: ReadonlyArray<string> = []
  const atOf = (value: string): number => Date.parse(value.slice(value.indexOf(":") + 1))
  const isWithin = ({ compared }: Row, values: ReadonlyArray<string>): boolean =>
    values.every((value) => {
      const operator = value.slice(0, value.indexOf(":"))
      const at = coarse?.bound === operator ? coarsened(atOf(value), coarse) : atOf(value)
      if (ignores.some((ignored) => ignored === operator)) return true
      if (operator === "gte") return isExclusive ? compared > at : compared >= at
      return isInclusive ? compared <= at : compared < at
    })
  const isListed = (row: Row, values: ReadonlyArray<string>): boolean => {
    const [from = 0, to = Infinity] = values.map(atOf)
    if (row.id === filed?.id && to - from > 3_600_000) return isWithin({ ...row, compared: filed.at }, values)
    if (row.id === hidden?.id && to - from > 3000 && to - from < hidden.below) return false
    if (row.id !== misplaced) return isWithin(row, values)
    return to - from <= 1000 ? isWithin(row, values) : !isWithin(row, values)
  }
  const answer = ({ created_at = [], limit = 20, after_cursor }: SearchRequest) => {
    sent.requests++
    if (after_cursor === undefined || !mixesCursors) latest = created_at
    const from = Number(after_cursor ?? 0)
    const hasForgotten = forgotten?.by.includes(sent.requests) ?? false
    const listed = rows.filter((row) => isListed(row, latest) && !(hasForgotten && row.id === forgotten?.id))
    const results = listed.slice(from, from + limit)
    for (const row of results) sent.rows.add(row)
    const ids = results.map(({ id, shown }) => `${id}@${new Date(shown).toISOString()}`)
    return { ids, ...(from + limit < listed.length && { next: String(from + limit) }) }
  }
  // A request takes a turn, so that others are sent meanwhile.
  const { layer } = ScriptedService.pager((request) =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => answer(request)),
    ),
  )
  return { layer, sent }
}

const coarsened = (at: number, { bound, by }: NonNullable<Service["coarse"]>): number =>
  (bound === "lt" ? Math.floor(at / by) : Math.ceil(at / by)) * by

/** An instant in milliseconds. */
export const instant = (at: number): Timestamp.Timestamp => Timestamp.parseUnsafe(new Date(at).toISOString())
