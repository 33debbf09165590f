/** The service of `--sandbox`: 5,000 generated transfers of the year before `--now`. */
import * as Origin from "@transferkit/domain/Origin"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { now as present } from "../filter/Now.ts"
import { Globals } from "../flags/Globals.ts"
import { UsageError } from "../UsageError.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    // Today as a day, so that all runs of a day read the same transfers.
    const { now = (yield* present).text.slice(0, 10) } = yield* Globals
    const to = TransferGenerator.instantOf(now)
    if (to !== undefined) return InMemoryTransferApi.layer({ transfers: 5000, to, origin: Origin.sandbox })
    const expected = "an instant or a day of the years 1972 to 2199, such as 2025-01-01"
    return yield* new UsageError({ message: `--now: expected ${expected}, found ${JSON.stringify(now)}.` })
  }),
)
