/** What books have in common with those that follow them, which start from what they left open. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Origin from "@transferkit/domain/Origin"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Struct from "effect/Struct"
import * as BookSettings from "./BookSettings.ts"

/** What both have in common: but for the period, those of the next books are the same. */
const same = ["key", "amount", "time_zone", "group", "settled", "failed"] as const

const stored = ["created_at", ...same] as const

/** The base as stored: whose transfers they are, if that is known, of which period, and how both sides are compared. */
export const BookBase = S.Struct({
  origin: S.optionalKey(Origin.Schema),
  ...Struct.pick(BookSettings.Stored.fields, stored),
})

/** See the schema. */
export type BookBase = typeof BookBase.Type

/** The base of books. */
export const of = (settings: BookSettings.BookSettings, origin: Origin.Origin | undefined): BookBase => ({
  ...(origin === undefined ? {} : { origin }),
  ...Struct.pick(BookSettings.toStored(settings), stored),
})

/** Why books cannot start from those of another base, as a clause. */
export const difference = (earlier: BookBase, next: BookBase): string | undefined => {
  for (const name of same) {
    const [was, is] = [earlier[name], next[name]].map(String)
    if (was !== is) return `its books were kept with --${name.replaceAll("_", "-")} ${was}, and these with ${is}`
  }
  const [end, start] = [boundsOf(earlier).at(-1)?.end, boundsOf(next)[0]?.first]
  if (end === undefined || end !== start) {
    return `its books end ${instant(end)}, and these begin ${instant(start)}: start from those of the period just before`
  }
  if (earlier.origin === undefined || next.origin === undefined || Origin.equals(earlier.origin, next.origin)) {
    return undefined
  }
  return `it is of ${nameOf(earlier.origin)}, and these books are of ${nameOf(next.origin)}`
}

const boundsOf = ({ created_at }: BookBase) =>
  CreatedAt.intervals(Result.getOrElse(CreatedAt.fromParams(created_at), () => CreatedAt.none))

const instant = (at: bigint | undefined): string =>
  at === undefined ? "at no time" : `at ${Timestamp.fromEpochNanoseconds(at).text}`

const nameOf = ({ partner_id, base_url }: Origin.Origin): string => `${partner_id} at ${base_url}`
