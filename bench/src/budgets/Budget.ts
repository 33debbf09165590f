/** A limit that TransferKit has set itself, and what holds it to that. */
import type { Repeated } from "./Callgrind.ts"

/** A program whose instructions are counted: an operation of a benchmark, a process, or a server. */
export type Program =
  | ({ readonly kind: "operation" } & Repeated)
  | { readonly kind: "process"; readonly args: ReadonlyArray<string>; readonly env?: NodeJS.ProcessEnv }
  | { readonly kind: "server"; readonly server: "fake" | "fastify" | "constant"; readonly rows: number }

/** `pnpm budgets` counts the instructions of both and fails where the ratio is above the limit. */
export interface Instructions {
  readonly kind: "instructions"
  readonly ours: Program
  readonly against: Program
  readonly atMost: number
}

/** A test that everybody runs; `name` is in `file`. */
export interface Test {
  readonly kind: "test"
  readonly file: string
  readonly name: string
}

/** Seen in a benchmark only, since a busy machine breaks it: the median of one contestant, or its ratio to another's. */
export interface Measured {
  readonly kind: "measured"
  readonly bench: string
  readonly metric: string
  readonly of: string
  readonly to?: string
  readonly limit: { readonly atMost: number } | { readonly atLeast: number }
}

export type Guard = Instructions | Test | Measured

export interface Budget {
  readonly name: string
  readonly limit: string
  readonly guards: ReadonlyArray<Guard>
}
