/** Runs `transfers probe`. */
import * as DialectProbe from "@transferkit/conformance/DialectProbe"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { ConnectionFailed } from "@transferkit/domain/TransferApiError"
import * as Effect from "effect/Effect"
import { Globals } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as Credentials from "../../service/Credentials.ts"
import * as Profiles from "../../service/Profiles.ts"
import * as RawService from "../../service/RawService.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as ProbeReport from "./Report.ts"

/** The flags of the command. */
export interface Input {
  readonly save: boolean
}

/** Rejects the sandbox. */
export const check = Effect.fnUntraced(function* (_input: Input) {
  if ((yield* Globals).sandbox) {
    return yield* new UsageError({ message: "The sandbox is not a deployment: remove --sandbox." })
  }
})

export const run = Effect.fn("transfers probe")(function* (input: Input) {
  const settings = yield* Settings.resolve
  const credentials = yield* Credentials.of(settings)
  if (input.save && settings.profile === undefined) {
    return yield* new UsageError({
      message: "--save needs a profile: name one with --profile, or save one with transfers profiles save NAME.",
    })
  }
  // A plain request first: if it fails, the others would only describe the failure.
  yield* Effect.flatMap(TransferApi, (api) => api.search({ limit: 1 }))
  const result = yield* DialectProbe.probe().pipe(
    Effect.provide(RawService.layer(credentials)),
    Effect.mapError(({ reason }) => new ConnectionFailed({ reason })),
  )
  yield* Report.print(ProbeReport.make(result), yield* Report.outputOf("json"))
  if (input.save && settings.profile !== undefined) yield* save(settings.profile.value, result)
})

const save = Effect.fnUntraced(function* (name: string, { dialect }: DialectProbe.ProbeResult) {
  const screen = yield* Screen
  const file = yield* Profiles.update((profiles) => {
    const { dialect: _, ...profile } = profiles[name] ?? {}
    return Effect.succeed({ ...profiles, [name]: { ...profile, dialect } })
  })
  yield* screen.note(`Saved to the profile ${name} in ${file}\n`)
})
