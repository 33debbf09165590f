/**
 * One JSON object a line, as Lambda's log pipeline and its level filter read it. Proposals never get here: entries
 * contain counts, codes and identifiers of the platform.
 */
import type * as Validation from "@transferkit/domain/Validation"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"

/** The fields of an entry besides its message, and those that are metrics too. */
export interface Entry {
  readonly [field: string]: unknown
  readonly violations?: { readonly [code: string]: number }
  readonly capabilities?: { readonly hash: string; readonly age_seconds?: number; readonly stale?: true }
  readonly duplicates?: { readonly unchecked: number }
}

/** Passes every entry to `write`, as a line. */
export const layer = (write: (line: string) => void): Layer.Layer<never> => Logger.layer([loggerOf(write)])

const loggerOf = (write: (line: string) => void): Logger.Logger<unknown, void> =>
  Logger.make<unknown, void>(({ message, logLevel, cause, date, fiber }) => {
    const entry = {
      timestamp: date.toISOString(),
      level: logLevel.toUpperCase(),
      message: Array.isArray(message) ? message.join(" ") : String(message),
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...(cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {}),
    }
    write(`${JSON.stringify(entry)}\n`)
  })

/** Logs an entry at level INFO. */
export const info = (message: string, fields: Entry): Effect.Effect<void> =>
  Effect.logInfo(message).pipe(Effect.annotateLogs(fields))

/** Verdicts as counts: how many proposals, how many invalid ones, and how often each code. */
export const counts = (verdicts: ReadonlyArray<Validation.Verdict>): Entry => {
  const violations: Record<string, number> = {}
  for (const { code } of verdicts.flatMap((verdict) => verdict.violations)) {
    violations[code] = (violations[code] ?? 0) + 1
  }
  return { proposals: verdicts.length, invalid: verdicts.filter(({ valid }) => !valid).length, violations }
}
