/**
 * What a manifest and a spool say of the transfers they are about: whose they are, which, and as of when. All of it is
 * absent if the source did not know it.
 */
import type * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Origin from "@transferkit/domain/Origin"
import * as Selection from "@transferkit/domain/Selection"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

const isTimes = (values: ReadonlyArray<string>): string | undefined =>
  Result.match(CreatedAt.fromParams(values), { onSuccess: () => undefined, onFailure: ({ message }) => message })

/** Creation times, as values of `created_at` that all hold. */
export const Times = S.Array(S.String).check(S.makeFilter((values) => isTimes(values) ?? true))

/** The fields of a manifest and of the header of a spool. */
export const fields = {
  /** Whose transfers they are. */
  origin: S.optionalKey(Origin.Schema),
  /** Of these properties they have only these values. */
  only: S.optionalKey(Selection.OnlySchema),
  /** Creation times among the covered ones that the source had not read. */
  unread: S.optionalKey(S.Array(Times)),
  /** The creation times that were read of a source that may have more than it claims, as a file. By default the covered ones. */
  read: S.optionalKey(Times),
  /** Each transfer is as it was then, or later. */
  as_of: S.optionalKey(Timestamp.Wire),
  /** Transfers of these statuses may be older: the source took them as final, and did not read them again. */
  final: S.optionalKey(S.Array(S.String)),
}

const Stored = S.Struct({ created_at: S.optionalKey(Times), ...fields })

/** See the schema. */
export type Stored = typeof Stored.Type

/** What is stored of a coverage. */
export const toStored = ({ extent, unread, as_of, final }: Coverage.Coverage): Omit<Stored, "origin"> => ({
  created_at: timesOf(extent.created_at, as_of),
  ...(Selection.names(extent.only).length === 0 ? {} : { only: { ...extent.only } }),
  ...(CreatedAt.isEmpty(unread) ? {} : { unread: Selection.timesToWire(unread) }),
  as_of: as_of.text,
  ...(final && { final }),
})

/** The coverage that is stored; undefined if nothing is known. */
export const fromStored = ({
  created_at,
  only = {},
  unread = [],
  as_of,
  final,
}: Stored): Coverage.Coverage | undefined => {
  if (as_of === undefined || created_at === undefined) return undefined
  return {
    extent: { created_at: Result.getOrThrow(CreatedAt.fromParams(created_at)), only: Selection.restrict(only) },
    unread: Result.getOrThrow(Selection.timesFromWire(unread)),
    as_of: Timestamp.parseUnsafe(as_of),
    ...(final && { final }),
  }
}

/** The values of `created_at` of one range. Without values everything would be meant, so nothing needs two. */
export const timesOf = (created_at: CreatedAt.CreatedAt, at: Timestamp.Timestamp): ReadonlyArray<string> =>
  CreatedAt.isEmpty(created_at)
    ? [`gte:${at.text}`, `lt:${at.text}`]
    : CreatedAt.ranges(created_at).flatMap(CreatedAt.printRange)
