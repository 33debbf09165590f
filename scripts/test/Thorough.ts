/**
 * How often a test repeats what it draws: `pnpm test` for seconds, and `pnpm test:thorough`, which runs every night, for
 * minutes. CI runs its parts that draw nothing with each change.
 */

export const isThorough = process.env["THOROUGH"] === "1"

/** All, or an even share of them. */
export const some = <A>(values: ReadonlyArray<A>, oneOf: number): ReadonlyArray<A> =>
  isThorough ? values : values.filter((_, index) => index % oneOf === 0)

/** A number of repetitions. */
export const times = (usually: number, thoroughly: number): number => (isThorough ? thoroughly : usually)
