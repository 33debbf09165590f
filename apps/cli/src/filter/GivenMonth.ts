/** The month of `--month`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"

/** Its creation times, by the clocks of a time zone. */
export const parse = (
  text: string,
  zone: DateTime.TimeZone = Day.utc,
): Result.Result<CreatedAt.CreatedAt, UsageError> =>
  Result.mapError(
    /^\d{4}-\d{2}$/.test(text) ? CreatedAt.month(text, zone) : Result.fail({ message: "" }),
    ({ message }) =>
      new UsageError({
        message: `--month: expected a month, such as 2024-09, found ${JSON.stringify(text)}. ${message}`.trim(),
      }),
  )
