/**
 * The behaviour of a deployment where partner-api.md is silent. Code depends on this value, never on a guess.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/** The behaviour of one deployment. */
export interface Dialect extends Settlement {
  /**
   * The operator of `created_at` that means "less than or equal", if the deployment is known to have one. Without
   * it, such a bound is sent as `lt` of a later instant and the result is filtered locally.
   */
  readonly lteToken: string | undefined
}

/** The meaning of statuses for the books. The contract names no status, so nothing is derived from a status' name. */
export interface Settlement {
  /** The statuses of a transfer whose money has moved. It no longer changes. */
  readonly settledStatuses: ReadonlyArray<string>
  /** The statuses of a transfer whose money will not move. It no longer changes. */
  readonly failedStatuses: ReadonlyArray<string>
}

/** What a status means for the books. */
export type StatusClass = "settled" | "failed" | "open"

/** A status was given as settled and as failed. */
export class ContradictoryStatus extends Data.TaggedError("ContradictoryStatus")<{ readonly status: string }> {
  override get message(): string {
    return `The status ${JSON.stringify(this.status)} cannot be both settled and failed. Give it once.`
  }
}

/** The dialect that is safe for any deployment: it assumes no operator and only the statuses that are known. */
export const standard: Dialect = { lteToken: undefined, settledStatuses: ["complete"], failedStatuses: ["declined"] }

/**
 * A dialect that differs from {@link standard}. A status that is both settled and failed is rejected.
 *
 * @example
 * Result.map(Dialect.make({ settledStatuses: ["paid"] }), (dialect) => Dialect.classOf(dialect, "paid")) // => Result.succeed("settled")
 * Result.isFailure(Dialect.make({ settledStatuses: ["paid"], failedStatuses: ["paid"] })) // => true
 */
export const make = (differing: Partial<Dialect>): Result.Result<Dialect, ContradictoryStatus> => {
  const dialect = { ...standard, ...differing }
  const status = dialect.settledStatuses.find((settled) => dialect.failedStatuses.includes(settled))
  return status === undefined ? Result.succeed(dialect) : Result.fail(new ContradictoryStatus({ status }))
}

/**
 * The class of a status. One that neither list has is open: the transfer may still change.
 *
 * @example
 * Dialect.classOf(Dialect.standard, "declined") // => "failed"
 * Dialect.classOf(Dialect.standard, "executing") // => "open"
 */
export const classOf = ({ settledStatuses, failedStatuses }: Settlement, status: string): StatusClass => {
  if (settledStatuses.includes(status)) return "settled"
  return failedStatuses.includes(status) ? "failed" : "open"
}

/**
 * Whether a transfer of a status may still change.
 *
 * @example
 * Dialect.isOpen(Dialect.standard, "executing") // => true
 */
export const isOpen = (settlement: Settlement, status: string): boolean => classOf(settlement, status) === "open"

/**
 * The statuses of transfers that no longer change.
 *
 * @example
 * Dialect.finalStatuses(Dialect.standard) // => ["complete", "declined"]
 */
export const finalStatuses = ({ settledStatuses, failedStatuses }: Settlement): ReadonlyArray<string> => [
  ...settledStatuses,
  ...failedStatuses,
]

/**
 * The current dialect, {@link standard} unless a layer provides another.
 *
 * @example
 * Effect.runSync(Effect.service(Dialect.Dialect)) // => Dialect.standard
 */
export const Dialect = Context.Reference<Dialect>("@transferkit/domain/Dialect", { defaultValue: () => standard })
