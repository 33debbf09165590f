/** Each setting and its source. The secret key itself is never shown. */
import type { Report } from "../../output/Report.ts"
import type { Setting, Settings } from "../../service/Settings.ts"

const withoutCredentials = (url: Setting<string>) => ({ ...url, value: url.value.replace(/\/\/[^/?#]*@/, "//…@") })

/** The report of some settings. */
export const make = (settings: Settings, profilesFile: string): Report => {
  const rows = [
    { setting: "base_url", ...(settings.baseUrl && withoutCredentials(settings.baseUrl)) },
    { setting: "partner_id", ...settings.partnerId },
    { setting: "secret_key", ...(settings.secretKey && { value: "(set)", source: settings.secretKey.source }) },
    { setting: "profile", ...settings.profile },
    { setting: "lte_token", ...settings.lteToken },
  ]
  const all = [...rows, { setting: "profiles_file", value: profilesFile, source: "" }]
  return {
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
      { text: `Profiles file: ${profilesFile}` },
    ],
  }
}
