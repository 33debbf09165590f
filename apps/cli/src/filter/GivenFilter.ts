/** The filters of a command line. Their grammar is the domain's; the clock and what is said of them are ours. */
import { Dialect, type Settlement } from "@transferkit/domain/Dialect"
import { knownKinds, knownStatuses } from "@transferkit/domain/Transfer"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import * as Effect from "effect/Effect"
import { isForScript } from "../flags/Globals.ts"
import { Screen } from "../terminal/Screen.ts"
import { now } from "./Now.ts"

/** Reads the filters. */
export const parse = Effect.fnUntraced(function* (filters: TransferFilter.Filters) {
  return yield* Effect.fromResult(TransferFilter.parse(filters, yield* now, yield* Dialect))
})

/** Reads the filters, and warns of values that are probably misspelt: they are allowed, but find nothing. */
export const read = Effect.fnUntraced(function* (filters: TransferFilter.Filters) {
  const filter = yield* parse(filters)
  const screen = yield* Screen
  if (!(yield* isForScript)) yield* screen.warn(unknownValues(filters, yield* Dialect))
  return filter
})

const unknownValues = ({ status = [], kind = [] }: TransferFilter.Filters, of: Settlement): string =>
  [
    [status, "status", [...new Set([...knownStatuses, ...of.settledStatuses, ...of.failedStatuses])]] as const,
    [kind, "kind", knownKinds] as const,
  ]
    .flatMap(([given, what, known]) =>
      TransferFilter.valuesOf(given)
        .filter((value) => !known.some((name) => name === value.toLowerCase()))
        .map((value) => `warning: ${JSON.stringify(value)} is not a known ${what}: ${known.join(", ")}\n`),
    )
    .join("")
