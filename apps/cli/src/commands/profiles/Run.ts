/** What `transfers profiles` and its commands do. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Globals, isForScript } from "../../flags/GlobalFlags.ts"
import * as Report from "../../output/Report.ts"
import type * as Table from "../../output/Table.ts"
import * as Profiles from "../../service/Profiles.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"

const columns: ReadonlyArray<Table.Column> = [
  { header: "NAME" },
  { header: "BASE URL", shrinkTo: 16 },
  { header: "PARTNER" },
  { header: "SECRET KEY" },
  { header: "LTE", dropOrder: 1 },
]

const nothingSaved = { text: "No profile is saved. `transfers profiles save NAME` saves the settings of its run." }

/** Lists them. */
export const list = Effect.fn("transfers profiles list")(function* (_input: {}, globals: Globals) {
  const profiles = Object.entries(yield* Profiles.load).map(([name, profile]) => ({
    name,
    base_url: profile.base_url ?? "",
    partner_id: profile.partner_id ?? "",
    secret_key: profile.secret_key === undefined ? "" : "(set)",
    lte_token: profile.dialect?.lte_token ?? "",
  }))
  const rows = profiles.map((profile) => Object.values(profile))
  const report: Report.Report = {
    json: profiles,
    records: profiles,
    csv: [["name", "base_url", "partner_id", "secret_key", "lte_token"], ...rows],
    table: () => [rows.length === 0 ? nothingSaved : { columns, rows }],
  }
  yield* Report.print(report, yield* Report.outputOf(globals, "json"))
})

/** Saves the settings of this run under a name. */
export const save = Effect.fn("transfers profiles save")(function* (
  { name }: { readonly name: string },
  globals: Globals,
) {
  if (!Profiles.isName(name)) {
    const message = `A profile's name is of letters, digits and . _ @ -, which ${JSON.stringify(name)} is not.`
    return yield* new UsageError({ message })
  }
  const { baseUrl, partnerId, secretKey, lteToken } = yield* Settings.resolve(globals)
  if (baseUrl === undefined && partnerId === undefined && secretKey === undefined) {
    return yield* new UsageError({
      message:
        "There is nothing to save: give --base-url, --partner-id and --secret-key-stdin, or set them in the environment.",
    })
  }
  const profiles = yield* Profiles.load
  const file = yield* Profiles.save({
    ...profiles,
    [name]: {
      ...(baseUrl && { base_url: baseUrl.value }),
      ...(partnerId && { partner_id: partnerId.value }),
      ...(secretKey && { secret_key: Redacted.value(secretKey.value) }),
      ...(lteToken && { dialect: { lte_token: lteToken.value } }),
    },
  })
  yield* tell(`Saved as ${name} in ${file}`, { saved: name, file }, globals)
})

/** Forgets one. */
export const remove = Effect.fn("transfers profiles remove")(function* (
  { name }: { readonly name: string },
  globals: Globals,
) {
  const profiles = yield* Profiles.load
  if (!Object.hasOwn(profiles, name)) {
    return yield* new UsageError({ message: `There is no profile ${JSON.stringify(name)}.` })
  }
  const file = yield* Profiles.save(Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name)))
  yield* tell(`Removed ${name}`, { removed: name, file }, globals)
})

/** What was done: a sentence for people, a value for scripts. */
const tell = Effect.fnUntraced(function* (sentence: string, value: object, globals: Globals) {
  const screen = yield* Screen
  yield* isForScript(globals) ? screen.print(`${JSON.stringify(value)}\n`) : screen.say(`${sentence}\n`)
})
