/**
 * The seconds of creation that the mirror cannot vouch for: the service sent a transfer of such a second, and did not list
 * it when asked for that second. So whoever has read the second may have read it without the transfer. They are a value of
 * a partner's state, which stays until everything is read without such an error. A load with doubts starts over.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as PartnerRows from "./PartnerRows.ts"
import * as SyncTables from "./SyncTables.ts"

/** Its name in `sync_state`. */
export const state = "doubted"

/** A service that contradicts itself about more seconds is not believed about any other either. */
const most = 100

const everything = "all"

/** The length of a second as text, with the blank before it. */
const width = " 2024-10-01T00:00:00Z".length

/** The creation times in doubt. */
export const read = Effect.fnUntraced(function* (partner_id: string) {
  const text = yield* SyncTables.state(partner_id, state)
  if (text === undefined) return CreatedAt.none
  if (text === everything) return CreatedAt.all
  const seconds = text.length > width * (most + 1) ? [] : text.split(" ").map(secondOf)
  const known = seconds.filter((second) => second !== undefined)
  if (known.length > 0 && known.length === seconds.length) return known.reduce(CreatedAt.or)
  return yield* SyncTables.damaged(partner_id, state, `has a value that is no list of seconds, nor "${everything}"`)
})

const secondOf = (text: string): CreatedAt.CreatedAt | undefined => {
  if (text.length !== width - 1 || !text.endsWith("Z")) return undefined
  return Result.match(Timestamp.parse(text), {
    onFailure: () => undefined,
    onSuccess: (from) =>
      RefreshPlan.createdAt({ from: Timestamp.epochSeconds(from), to: Timestamp.epochSeconds(from) + 1, pages: 1 }),
  })
}

/** Adds the seconds that an error of a reading names, if it names some. Workers of a load may do so at the same time. */
export const record = Effect.fnUntraced(function* (partner_id: string, error: unknown) {
  if (!Predicate.isTagged(error, "OutsideFilter") || !Predicate.hasProperty(error, "missingFrom")) return
  const { missingFrom } = error
  if (!Array.isArray(missingFrom)) return
  const seconds = missingFrom.length > most ? [everything] : missingFrom.map(wholeSecond)
  yield* Effect.forEach(new Set(seconds), (second) => add(partner_id, second), { discard: true })
})

const wholeSecond = (instant: unknown): string =>
  Result.match(Timestamp.parse(String(instant)), {
    onFailure: () => everything,
    onSuccess: (from) => Timestamp.fromEpochSeconds(Timestamp.epochSeconds(from)).text,
  })

const add = (partner_id: string, second: string) =>
  PartnerRows.write(
    partner_id,
    (sql) => sql`INSERT INTO sync_state (partner_id, name, value) VALUES (${partner_id}, ${state}, ${second})
      ON CONFLICT (partner_id, name) DO UPDATE SET value = CASE
        WHEN excluded.value = ${everything} OR sync_state.value = ${everything} THEN ${everything}
        WHEN sync_state.value LIKE '%' || excluded.value || '%' THEN sync_state.value
        WHEN LENGTH(sync_state.value) >= ${width * most - 1} THEN ${everything}
        ELSE sync_state.value || ' ' || excluded.value END`,
  )

/** Forgets them, once everything was read without such an error. */
export const clear = (partner_id: string) => SyncTables.removeState(partner_id, state)
