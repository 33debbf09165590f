/** The saved profiles, without their secrets. */
import type * as Table from "@transferkit/report/TextTable"
import type { Report } from "../../output/Report.ts"
import type { Profiles } from "../../service/Profiles.ts"

const columns: ReadonlyArray<Table.Column> = [
  { header: "NAME" },
  { header: "BASE URL", shrinkTo: 16 },
  { header: "PARTNER" },
  { header: "SECRET KEY" },
  { header: "LTE TOKEN", dropOrder: 1 },
  { header: "SETTLED", dropOrder: 3 },
  { header: "FAILED", dropOrder: 2 },
]

const nothingSaved = { text: "No profiles saved. `transfers profiles save NAME` saves the current settings." }

/** The report of the profiles. */
export const make = (saved: Profiles): Report => {
  const profiles = Object.entries(saved).map(([name, profile]) => ({
    name,
    base_url: profile.base_url ?? "",
    partner_id: profile.partner_id ?? "",
    secret_key: profile.secret_key === undefined ? "" : "(set)",
    lte_token: profile.dialect?.lte_token ?? "",
    settled: (profile.settled ?? []).join(", "),
    failed: (profile.failed ?? []).join(", "),
  }))
  const rows = profiles.map((profile) => Object.values(profile))
  return {
    json: profiles,
    records: profiles,
    csv: [["name", "base_url", "partner_id", "secret_key", "lte_token", "settled", "failed"], ...rows],
    table: () => [rows.length === 0 ? nothingSaved : { columns, rows }],
  }
}
