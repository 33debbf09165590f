/** Durations in the short form of command lines (`20ms`, `5s`, `10m`, `72h`, `2d`) or in Effect's (`5 minutes`). */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/**
 * The text is not a duration. The message says what is.
 *
 * @example
 * Result.merge(DurationText.parse("5 sec")).input // => "5 sec"
 */
export class InvalidDuration extends Data.TaggedError("InvalidDuration")<{ readonly input: string }> {
  override get message(): string {
    return `Not a duration: ${JSON.stringify(this.input.slice(0, 64))}. Write a number and a unit, such as 20ms, 5s, 10m, 72h or 2d.`
  }
}

const units: Readonly<Record<string, Duration.Unit>> = {
  ms: "millis",
  s: "seconds",
  m: "minutes",
  h: "hours",
  d: "days",
}

/**
 * Reads a duration.
 *
 * @example
 * Result.map(DurationText.parse("1.5s"), Duration.toMillis) // => Result.succeed(1500)
 * Result.map(DurationText.parse("5 minutes"), Duration.toMillis) // => Result.succeed(300_000)
 */
export const parse = (text: string): Result.Result<Duration.Duration, InvalidDuration> => {
  const written = text.replace(/^([0-9.]+)(ms|s|m|h|d)$/, (_, amount, unit) => `${amount} ${units[unit]}`)
  const duration = isInput(written) ? Duration.fromInput(written) : Option.none()
  return Result.fromOption(duration, () => new InvalidDuration({ input: text }))
}

const isInput = (text: string): text is `${number} ${Duration.Unit}` =>
  /^[0-9]{1,9}(?:\.[0-9]{1,3})? (?:milli|second|minute|hour|day|week)s?$/.test(text)
