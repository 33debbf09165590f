/**
 * What a deployment of the service does where partner-api.md is silent. Code depends on this value, never on a guess.
 */
import * as Context from "effect/Context"

/** One deployment's answers. */
export interface Dialect {
  /**
   * The operator of `created_at` that means "less than or equal", where the deployment is known to have one. Without
   * it such a bound is sent as `lt` of a later instant, and the result is filtered here.
   */
  readonly lteToken: string | undefined
  /** The statuses after which a transfer does not change any more. Unknown statuses are not terminal. */
  readonly terminalStatuses: ReadonlyArray<string>
}

/** What holds for any deployment, because nothing is assumed of it. */
export const standard: Dialect = { lteToken: undefined, terminalStatuses: ["complete", "declined"] }

/**
 * The dialect in force, {@link standard} unless a layer says otherwise.
 *
 * @example
 * Effect.runSync(Effect.service(Dialect.Dialect)) // => Dialect.standard
 */
export const Dialect = Context.Reference<Dialect>("@transferkit/domain/Dialect", { defaultValue: () => standard })
