/** Durations as people write them on a command line: `20ms`, `5s`, `10m`, `72h`, `2d`. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"

/** The text is not a duration, or not a range where that is possible too. */
export class InvalidDuration extends Data.TaggedError("InvalidDuration")<{
  readonly input: string
  readonly mayBeRange?: boolean
}> {
  override get message(): string {
    const range = this.mayBeRange === true ? "; or a range from the shorter to the longer, such as 20ms..80ms" : ""
    return `Not a duration: ${JSON.stringify(this.input.slice(0, 64))}. Write a number and a unit, such as 20ms, 5s, 10m, 72h or 2d${range}.`
  }
}

const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
])

/**
 * Reads a duration.
 *
 * @example
 * Result.map(DurationText.parse("1.5s"), Duration.toMillis) // => Result.succeed(1500)
 */
export const parse = (text: string): Result.Result<Duration.Duration, InvalidDuration> => {
  const match = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)(ms|s|m|h|d)$/.exec(text)
  const unit = units.get(match?.[2] ?? "")
  return unit === undefined
    ? Result.fail(new InvalidDuration({ input: text }))
    : Result.succeed(Duration.millis(Number(match?.[1]) * unit))
}

/** From one duration to another, both possible. */
export interface DurationRange {
  readonly from: Duration.Duration
  readonly to: Duration.Duration
}

/** Reads `20ms` or `20ms..80ms`. */
export const parseRange = (text: string): Result.Result<DurationRange, InvalidDuration> =>
  Result.gen(function* () {
    const [from = "", to = from, more] = text.split("..")
    const range = Result.all({ from: parse(from), to: parse(to) })
    const isRange =
      Result.isSuccess(range) &&
      more === undefined &&
      Duration.isLessThanOrEqualTo(range.success.from, range.success.to)
    return isRange ? range.success : yield* Result.fail(new InvalidDuration({ input: text, mayBeRange: true }))
  })
