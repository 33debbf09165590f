/** Runs `transfers profiles` and its commands. */
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Globals, isForScript, only, withoutRows } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as ProfileDialect from "../../service/ProfileDialect.ts"
import * as Profiles from "../../service/Profiles.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as ProfilesReport from "./Report.ts"

/** Lists the profiles. */
export const list = Effect.fn("transfers profiles list")(function* () {
  yield* Report.print(ProfilesReport.make(yield* Profiles.load), yield* Report.outputOf("json"))
})

/** Saves the settings of this run under a name. */
export const save = Effect.fn("transfers profiles save")(function* ({ name }: { readonly name: string }) {
  yield* only("profiles save", withoutRows)
  if (!Profiles.isName(name)) {
    const message = `A profile's name consists of letters, digits and . _ @ -, unlike ${JSON.stringify(name)}.`
    return yield* new UsageError({ message })
  }
  const { baseUrl, partnerId, secretKey, lteToken, statuses } = yield* Settings.resolve
  if (baseUrl === undefined && partnerId === undefined && secretKey === undefined) {
    return yield* new UsageError({
      message: "Nothing to save: give --base-url, --partner-id and --secret-key-stdin, or set them in the environment.",
    })
  }
  const profile: Profiles.Profile = {
    ...(baseUrl && { base_url: baseUrl.value }),
    ...(partnerId && { partner_id: partnerId.value }),
    ...(secretKey && { secret_key: Redacted.value(secretKey.value) }),
    ...(lteToken && { dialect: { lte_token: lteToken.value } }),
    ...statuses,
  }
  yield* ProfileDialect.of(name, profile)
  const file = yield* Profiles.update((profiles) => Effect.succeed({ ...profiles, [name]: profile }))
  yield* report(`Saved as ${name} in ${file}`, { saved: name, file })
})

/** The arguments of `set`. */
export interface SetInput {
  readonly name: string
  readonly settled: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
}

/** Changes the settings of a profile that flags give, and no other. */
export const set = Effect.fn("transfers profiles set")(function* ({ name, ...statuses }: SetInput) {
  yield* only("profiles set", withoutRows)
  const { baseUrl, partnerId } = yield* Globals
  const [settled, failed] = [TransferFilter.valuesOf(statuses.settled), TransferFilter.valuesOf(statuses.failed)]
  const secretKey = yield* Settings.secretOfFlags
  const given: Profiles.Profile = {
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(partnerId !== undefined && { partner_id: partnerId }),
    ...(secretKey && { secret_key: secretKey.value }),
    ...(settled.length > 0 && { settled }),
    ...(failed.length > 0 && { failed }),
  }
  if (Object.keys(given).length === 0) {
    const message =
      "Nothing to set: give --base-url, --partner-id, --secret-key-file, --secret-key-stdin, --settled or --failed."
    return yield* new UsageError({ message })
  }
  const file = yield* Profiles.update((profiles) =>
    Object.hasOwn(profiles, name)
      ? Effect.as(ProfileDialect.of(name, { ...profiles[name], ...given }), {
          ...profiles,
          [name]: { ...profiles[name], ...given },
        })
      : Effect.fail(noProfile(name, `Save it first: transfers profiles save ${Profiles.isName(name) ? name : "NAME"}`)),
  )
  const names = Object.keys(given)
  yield* report(`Set ${names.join(" and ")} of ${name} in ${file}`, { set: name, settings: names, file })
})

const noProfile = (name: string, advice: string): UsageError =>
  new UsageError({ message: `There is no profile ${JSON.stringify(name)}. ${advice}.` })

/** Removes a profile. */
export const remove = Effect.fn("transfers profiles remove")(function* ({ name }: { readonly name: string }) {
  yield* only("profiles remove", withoutRows)
  const file = yield* Profiles.update((profiles) =>
    Object.hasOwn(profiles, name)
      ? Effect.succeed(Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name)))
      : Effect.fail(noProfile(name, "List them: transfers profiles")),
  )
  yield* report(`Removed ${name}`, { removed: name, file })
})

/** Reports what was done: a sentence for people, a value for scripts. */
const report = Effect.fnUntraced(function* (sentence: string, value: object) {
  const screen = yield* Screen
  yield* (yield* isForScript) ? screen.print(`${JSON.stringify(value)}\n`) : screen.note(`${sentence}\n`)
})
