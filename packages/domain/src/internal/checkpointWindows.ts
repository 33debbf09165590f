/** Checkpoints from and to the positions of the listings that are left. */
import type * as Checkpoint from "../Checkpoint.ts"
import * as Timestamp from "../Timestamp.ts"
import * as Interval from "./interval.ts"
import type { Position } from "./listing.ts"

/** A checkpoint does not grow with the transfers of one instant beyond this many. */
const maxAtFrontier = 1000

type Window = Checkpoint.Checkpoint["windows"][number]

export const fromPosition = (position: Position): Window => {
  const { asked, keep, after_cursor, order, frontier, atFrontier, delivered, isAgain } = position
  return {
    asked: fromInterval(asked),
    ...(Interval.equals(asked, keep) ? {} : { keep: fromInterval(keep) }),
    ...(after_cursor === undefined ? {} : { after_cursor }),
    ...(order === "unseen" ? {} : { order }),
    ...(frontier === undefined ? {} : { frontier: Timestamp.fromEpochNanoseconds(frontier).text }),
    ...(atFrontier.count === 0 || atFrontier.count > maxAtFrontier
      ? {}
      : { at_frontier: atFrontier.ids.slice(0, atFrontier.count) }),
    ...(delivered.length === 0 ? {} : { received: delivered }),
    ...(isAgain ? { again: true } : {}),
  }
}

export const toPosition = (window: Window): Position => {
  const asked = toInterval(window.asked)
  const ids = [...(window.at_frontier ?? [])]
  return {
    asked,
    keep: window.keep === undefined ? asked : toInterval(window.keep),
    after_cursor: window.after_cursor,
    order: window.order ?? "unseen",
    frontier: window.frontier === undefined ? undefined : instant(window.frontier),
    atFrontier: { ids, count: ids.length },
    delivered: window.received ?? [],
    isAgain: window.again ?? false,
  }
}

const instant = (text: string): bigint => Timestamp.parseUnsafe(text).epochNanoseconds

const fromInterval = ({ first, end }: Interval.Interval): Window["asked"] => ({
  ...(first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(first).text }),
  ...(end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(end).text }),
})

const toInterval = ({ gte, lt }: Window["asked"]): Interval.Interval => ({
  first: gte === undefined ? undefined : instant(gte),
  end: lt === undefined ? undefined : instant(lt),
})
