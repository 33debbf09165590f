/** Checkpoints from and to the requests that are left. */
import type * as Checkpoint from "../Checkpoint.ts"
import * as CreatedAt from "../CreatedAt.ts"
import type { Dialect } from "../Dialect.ts"
import * as Timestamp from "../Timestamp.ts"
import type { TransferQuery } from "../TransferQuery.ts"
import * as InstantSet from "./instantSet.ts"

/** The checkpoint of a stream that goes on at a position in its requests, or has nothing left without one. */
export const make = (state: {
  readonly query: string
  readonly transfers: number
  readonly requests: ReadonlyArray<CreatedAt.PlannedRequest>
  readonly position: { readonly request: number; readonly after_cursor: string | undefined } | undefined
}): Checkpoint.Checkpoint => {
  const { query, transfers, requests, position } = state
  const left = position === undefined ? [] : requests.slice(position.request)
  const windows = left.map(({ window }, index) => ({
    asked: toInterval(window),
    ...(index === 0 && position?.after_cursor !== undefined ? { after_cursor: position.after_cursor } : {}),
  }))
  return { version: 1, query, transfers, windows }
}

/** The requests for what is left. */
export const requests = (
  self: Checkpoint.Checkpoint,
  query: TransferQuery,
  dialect: Dialect,
): ReadonlyArray<CreatedAt.PlannedRequest> => {
  const filter = query.created_at ?? CreatedAt.all
  return self.windows.flatMap(({ asked }) =>
    CreatedAt.plan(fromInterval(asked), dialect).requests.map(({ created_at, window }) =>
      CreatedAt.implies(window, filter)
        ? { created_at, window }
        : { created_at, window, residual: CreatedAt.and(filter, window) },
    ),
  )
}

const toInterval = (window: CreatedAt.CreatedAt): typeof Checkpoint.Interval.Type => {
  const [run] = InstantSet.runs(window.set)
  return {
    ...(run?.first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(run.first).text }),
    ...(run?.end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(run.end).text }),
  }
}

const fromInterval = ({ gte, lt }: typeof Checkpoint.Interval.Type): CreatedAt.CreatedAt =>
  CreatedAt.and(
    gte === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.parseUnsafe(gte)),
    lt === undefined ? CreatedAt.all : CreatedAt.lt(Timestamp.parseUnsafe(lt)),
  )
