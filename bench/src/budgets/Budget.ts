/** A limit that TransferKit sets itself, and what enforces it. */

/** One operation of a benchmark's contestant, done `times` after a warm-up; the least of some `runs`, one if omitted. */
export interface Repeated {
  readonly bench: string
  readonly contestant: string
  readonly operation: string
  readonly warmUp: number
  readonly times: number
  readonly runs?: number
}

/** A server, of so many transfers. It is asked for two hundred ranges again and again, or for each only once. */
export interface Serving {
  readonly server: "fake" | "fastify" | "constant"
  readonly rows: number
  readonly isFirst?: boolean
}

/** A program whose instructions are counted: an operation of a benchmark, a process, one that calls the fake service, or a server. */
export type Program =
  | ({ readonly kind: "operation" } & Repeated)
  | { readonly kind: "process"; readonly args: ReadonlyArray<string>; readonly env?: NodeJS.ProcessEnv }
  | { readonly kind: "request"; readonly args: ReadonlyArray<string> }
  | ({ readonly kind: "server" } & Serving)

/** `pnpm budgets` counts the instructions of both and fails if the ratio exceeds a limit of its own. */
export interface Instructions {
  readonly kind: "instructions"
  readonly ours: Program
  readonly against: Program
  /** What the ratio is divided by: the ratio of an earlier version, whose code is not here. 1 if omitted. */
  readonly per?: number
  readonly atMost: number
}

/** A test that asserts the limit. `asserts` is the text of the assertion, in the test called `name`. */
export interface Test {
  readonly kind: "test"
  readonly file: string
  readonly name: string
  readonly asserts: string
  /** How much the test calls one unit of the limit; 1 if omitted. */
  readonly per?: number
  /** Why the test asserts another number than the budget's limit, if it does. */
  readonly differs?: string
}

/** The median of one contestant, or its ratio to another's. Seen in a benchmark only: a busy machine would break a test. */
export interface Measured {
  readonly kind: "measured"
  readonly bench: string
  readonly metric: string
  readonly of: string
  readonly to?: string
  /** How much the benchmark calls one unit of the limit; 1 if omitted. */
  readonly per?: number
}

export type Guard = Instructions | Test | Measured

/** A bound, and its unit: `1.35` and "× the time of JSON.parse". */
export type Limit = { readonly unit: string } & ({ readonly atMost: number } | { readonly atLeast: number })

export interface Budget {
  readonly name: string
  readonly limit: Limit
  readonly guards: ReadonlyArray<Guard>
}

/** The number of a limit. */
export const bound = (limit: Limit): number => ("atMost" in limit ? limit.atMost : limit.atLeast)

/** Whether a value keeps to a limit. */
export const isWithin = (limit: Limit, value: number): boolean =>
  "atMost" in limit ? value <= limit.atMost : value >= limit.atLeast

/** A limit as the report prints it. */
export const describe = (limit: Limit): string =>
  `${"atMost" in limit ? "at most" : "at least"} ${bound(limit)} ${limit.unit}`

/** The name under which a budget's ratio is recorded. */
export const titleOf = ({ name, limit }: Pick<Budget, "name" | "limit">): string => `${name}: ${describe(limit)}`
