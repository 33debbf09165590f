/** The service of `--sandbox`: 5,000 generated transfers of the year before `--now`. */
import * as Origin from "@transferkit/domain/Origin"
import { service, TransferSource } from "@transferkit/domain/TransferSource"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { today } from "../filter/Now.ts"
import { Globals } from "../flags/Globals.ts"
import { UsageError } from "../UsageError.ts"

const end = Effect.gen(function* () {
  const { now = yield* today } = yield* Globals
  const to = TransferGenerator.instantOf(now)
  if (to !== undefined) return to
  const expected = "an instant or a day of the years 1972 to 2199, such as 2025-01-01"
  return yield* new UsageError({ message: `--now: expected ${expected}, found ${JSON.stringify(now)}.` })
})

export const layer = Layer.unwrap(
  Effect.map(end, (to) => InMemoryTransferApi.layer({ transfers: 5000, to, origin: Origin.sandbox })),
)

/** The same as a source. It stands still, so that what is open is as old whenever a page is made again. */
export const source = Layer.effect(
  TransferSource,
  Effect.gen(function* () {
    const [own, as_of] = [yield* service, yield* end]
    return { ...own, coverage: Effect.map(own.coverage, (coverage) => coverage && { ...coverage, as_of }) }
  }),
)
