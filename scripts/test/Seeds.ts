/** The seeds of tests with generated input: one that is fixed, and one that is drawn for each run of the tests. */

/** The same in every run, so that everybody sees the same failures. */
export const fixed = "transferkit"

/** New in each run, and printed when it starts. `LAW_SEED=… pnpm test` repeats a run. */
export const drawn = process.env["LAW_SEED"] ?? fixed

/** Both, for a test that divides its cases among them. */
export const all: ReadonlyArray<string> = [fixed, drawn]
