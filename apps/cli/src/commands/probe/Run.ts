/** What `transfers probe` does. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import { ConnectionFailed } from "@transferkit/domain/TransferApiError"
import * as Effect from "effect/Effect"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import * as Credentials from "../../service/Credentials.ts"
import * as Profiles from "../../service/Profiles.ts"
import { RawService } from "../../service/RawService.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as Probe from "./DialectProbe.ts"

/** The flags of the command. */
export interface Input {
  readonly save: boolean
}

export const run = Effect.fn("transfers probe")(function* (input: Input, globals: Globals) {
  if (globals.sandbox) {
    return yield* new UsageError({ message: "There is no deployment behind the sandbox: leave --sandbox out." })
  }
  const settings = yield* Settings.resolve(globals)
  const credentials = yield* Credentials.of(settings)
  if (input.save && settings.profile === undefined) {
    return yield* new UsageError({
      message: "--save needs a profile: name one with --profile, or save one with transfers profiles save NAME.",
    })
  }
  // A plain question comes first: where that fails, whatever the others seem to find out would be about the failure.
  yield* Effect.flatMap(TransferApi, (api) => api.search({ limit: 1 })).pipe(Effect.provide(Layers.service(globals)))
  const findings = yield* Probe.probe().pipe(
    Effect.provide(RawService.layer(credentials)),
    Effect.mapError(({ reason }) => new ConnectionFailed({ reason })),
  )
  yield* Report.print(reportOf(findings), yield* Report.outputOf(globals, "json"))
  if (input.save && settings.profile !== undefined) yield* save(settings.profile.value, findings)
})

const reportOf = ({ answers, lte_token }: Probe.Findings): Report.Report => ({
  json: { dialect: lte_token === undefined ? {} : { lte_token }, answers },
  records: answers,
  csv: [
    ["question", "answer", "known"],
    ...answers.map(({ question, answer, known }) => [question, answer, String(known)]),
  ],
  table: (style) => [
    {
      columns: [
        { header: "WHAT" },
        {
          header: "THIS DEPLOYMENT",
          shrinkTo: 24,
          wrap: true,
          style: (cut, cell) => (cell.startsWith("unknown") ? style.quiet(cut) : cut),
        },
      ],
      rows: answers.map(({ question, answer }) => [question, answer]),
    },
  ],
})

const save = Effect.fnUntraced(function* (name: string, { lte_token }: Probe.Findings) {
  const screen = yield* Screen
  const profiles = yield* Profiles.load
  const { dialect: _, ...profile } = profiles[name] ?? {}
  const file = yield* Profiles.save({
    ...profiles,
    [name]: { ...profile, ...(lte_token === undefined ? {} : { dialect: { lte_token } }) },
  })
  yield* screen.say(`Saved to the profile ${name} in ${file}\n`)
})
