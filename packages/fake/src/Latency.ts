/** How late responses are: always the same, anything between two durations, or mostly a little and sometimes a lot. */
import * as Draw from "@transferkit/in-memory/Draw"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as DurationText from "./DurationText.ts"

/**
 * A uniform distribution, or a log-normal one: half of the latencies are above the median; `sigma` is the spread.
 *
 * @example
 * Result.merge(Latency.parse("20ms..80ms")) // => { from: Duration.millis(20), to: Duration.millis(80) }
 */
export type Latency =
  | { readonly from: Duration.Duration; readonly to: Duration.Duration }
  | { readonly median: Duration.Duration; readonly sigma: number }

/**
 * The text is not a latency. The message says what is.
 *
 * @example
 * Result.merge(Latency.parse("80ms..20ms")).input // => "80ms..20ms"
 */
export class InvalidLatency extends Data.TaggedError("InvalidLatency")<{ readonly input: string }> {
  override get message(): string {
    return `Not a latency: ${JSON.stringify(this.input.slice(0, 64))}. Write a duration such as 20ms, a range from the shorter to the longer such as 20ms..80ms, or a median and a spread up to 3 such as lognormal(50ms, 0.5).`
  }
}

/**
 * No latency is longer.
 *
 * @example
 * Duration.toMillis(Latency.longest) // => 3_600_000
 */
export const longest = Duration.hours(1)

/**
 * Reads `20ms`, `20ms..80ms` or `lognormal(50ms, 0.5)`.
 *
 * @example
 * Result.isSuccess(Latency.parse("20ms..80ms")) // => true
 * Result.isSuccess(Latency.parse("80ms..20ms")) // => false
 */
export const parse = (text: string): Result.Result<Latency, InvalidLatency> => {
  const [, median, sigma] = /^lognormal\(([^,]+), *([0-9]+(?:\.[0-9]+)?)\)$/.exec(text) ?? []
  const [from = "", to = from, ...more] = text.split("..")
  const latency: Result.Result<Latency, DurationText.InvalidDuration> =
    median === undefined
      ? Result.all({ from: DurationText.parse(from), to: DurationText.parse(to) })
      : Result.map(DurationText.parse(median), (median) => ({ median, sigma: Number(sigma) }))
  return Result.isSuccess(latency) && more.length === 0 && isPossible(latency.success)
    ? Result.succeed(latency.success)
    : Result.fail(new InvalidLatency({ input: text }))
}

/**
 * Whether a latency is one, and at most {@link longest}.
 *
 * @example
 * Latency.isPossible({ median: Duration.millis(50), sigma: 0.5 }) // => true
 * Latency.isPossible({ median: Duration.hours(2), sigma: 0.5 }) // => false
 */
export const isPossible = (latency: Latency): boolean => {
  const [low, high] = "from" in latency ? [latency.from, latency.to] : [latency.median, latency.median]
  return (
    Duration.toMillis(low) >= 0 &&
    Duration.isLessThanOrEqualTo(low, high) &&
    Duration.isLessThanOrEqualTo(high, longest) &&
    ("from" in latency || (latency.sigma >= 0 && latency.sigma <= 3))
  )
}

/**
 * A latency in milliseconds. The same key draws the same.
 *
 * @example
 * const latency = { from: Duration.millis(20), to: Duration.millis(80) }
 * Latency.draw(latency, 7) === Latency.draw(latency, 7) // => true
 */
export const draw = (latency: Latency, key: number): number => {
  if ("from" in latency) {
    const from = Duration.toMillis(latency.from)
    return from + Draw.fraction(key, 0) * (Duration.toMillis(latency.to) - from)
  }
  // Box and Muller's: two uniform draws are one normal draw.
  const normal = Math.sqrt(-2 * Math.log(1 - Draw.fraction(key, 0))) * Math.cos(2 * Math.PI * Draw.fraction(key, 1))
  const millis = Duration.toMillis(latency.median) * Math.exp(latency.sigma * normal)
  return Math.min(millis, Duration.toMillis(longest))
}
