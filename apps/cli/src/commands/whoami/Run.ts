/** What `transfers whoami` does. */
import * as Effect from "effect/Effect"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Report from "../../output/Report.ts"
import * as Profiles from "../../service/Profiles.ts"
import * as Settings from "../../service/Settings.ts"

export const run = Effect.fn("transfers whoami")(function* (_input: {}, globals: Globals) {
  const settings = yield* Settings.resolve(globals)
  const rows = [
    { setting: "base_url", ...settings.baseUrl },
    { setting: "partner_id", ...settings.partnerId },
    { setting: "secret_key", ...(settings.secretKey && { value: "(set)", source: settings.secretKey.source }) },
    { setting: "profile", ...settings.profile },
    { setting: "lte_token", ...settings.lteToken },
  ]
  const profilesFile = yield* Profiles.path
  const all = [...rows, { setting: "profiles_file", value: profilesFile, source: "" }]
  const report: Report.Report = {
    json: Object.fromEntries(all.map(({ setting, value = null, source = null }) => [setting, { value, source }])),
    records: all,
    csv: [["setting", "value", "source"], ...all.map(({ setting, value, source }) => [setting, value, source])],
    table: (style) => [
      {
        columns: [
          { header: "SETTING" },
          { header: "VALUE", shrinkTo: 32, style: (cut, cell) => (cell === "(not set)" ? style.warn(cut) : cut) },
          { header: "FROM", shrinkTo: 24, wrap: true },
        ],
        rows: rows.map(({ setting, value = "(not set)", source = "" }) => [setting, value, source]),
      },
      { text: `Profiles are kept in ${profilesFile}` },
    ],
  }
  yield* Report.print(report, yield* Report.outputOf(globals, "json"))
})
