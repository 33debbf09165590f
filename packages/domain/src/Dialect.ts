/**
 * The behaviour of a deployment where partner-api.md is silent. Code depends on this value, never on a guess.
 */
import * as Context from "effect/Context"

/** The behaviour of one deployment. */
export interface Dialect {
  /**
   * The operator of `created_at` that means "less than or equal", if the deployment is known to have one. Without
   * it, such a bound is sent as `lt` of a later instant and the result is filtered locally.
   */
  readonly lteToken: string | undefined
  /** The statuses after which a transfer no longer changes. Unknown statuses are not terminal. */
  readonly terminalStatuses: ReadonlyArray<string>
}

/** The dialect that is safe for any deployment, because it assumes nothing. */
export const standard: Dialect = { lteToken: undefined, terminalStatuses: ["complete", "declined"] }

/**
 * The current dialect, {@link standard} unless a layer provides another.
 *
 * @example
 * Effect.runSync(Effect.service(Dialect.Dialect)) // => Dialect.standard
 */
export const Dialect = Context.Reference<Dialect>("@transferkit/domain/Dialect", { defaultValue: () => standard })
