/** Whether a month can be closed: it is over, and its source claims that nothing is missing. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import { counted } from "@transferkit/domain/Quantity"
import * as Selection from "@transferkit/domain/Selection"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as SourceWords from "@transferkit/report/SourceWords"
import * as BookSettings from "../BookSettings.ts"

/** Why it is too early: the month, or its days of grace, are not over. */
export const running = (
  settings: BookSettings.BookSettings,
  month: string,
  at: Timestamp.Timestamp,
): string | undefined => {
  for (const [times, what] of [
    [settings.period, `${month} is`],
    [BookSettings.searched(settings), `the ${counted(settings.graceDays, "day")} of grace after ${month} are`],
  ] as const) {
    const end = CreatedAt.intervals(times).at(-1)?.end
    if (end === undefined || end <= at.epochNanoseconds) continue
    const day = Day.of(Timestamp.fromEpochNanoseconds(end), settings.timeZone)
    return `${what} not over: close it from ${day} on.`
  }
  return undefined
}

/** Why a source is not sufficient. */
export const lacking = ({ source, answer }: SourceWords.Asked): string | undefined => {
  const reason = reasonOf({ source, answer })
  return reason && `A close needs all transfers of the month and its grace, and ${source.name} ${reason}.`
}

const reasonOf = ({ source, answer }: SourceWords.Asked): string | undefined => {
  switch (answer._tag) {
    case "Unknown":
      return "does not say what it holds: it has no manifest"
    case "ToDate":
      return `is complete up to ${answer.until.text} only`
    case "Partial":
      return "lacks some of them, and a close has no --allow-incomplete"
    case "Whole": {
      const names = Selection.names(source.coverage?.extent.only ?? {})
      return names.length === 0 ? undefined : `holds only transfers of some ${names.join(" and ").replaceAll("_", " ")}`
    }
  }
}
