/** The dialect of the deployment that a profile describes: its operator, and what its statuses mean for the books. */
import * as Dialect from "@transferkit/domain/Dialect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"
import type { Profile } from "./Profiles.ts"
import * as Settings from "./Settings.ts"

/** That of the profile in use, whatever holds the transfers. */
export const layer = Layer.effect(
  Dialect.Dialect,
  Effect.gen(function* () {
    const { profile, name } = yield* Settings.chosenProfile
    return yield* of(name, profile ?? {})
  }),
)

/** That of a profile, whose statuses must not contradict each other. */
export const of = (name: string, { settled, failed, dialect }: Profile) =>
  Effect.fromResult(
    Result.mapError(
      Dialect.make({
        lteToken: dialect?.lte_token,
        ...(settled && { settledStatuses: settled }),
        ...(failed && { failedStatuses: failed }),
      }),
      ({ message }) => new UsageError({ message: `The profile ${name}: ${message}` }),
    ),
  )
