/** Transfers of September and October, and what a ledger books of September: some wait, differ, or are not the service's. */

/** A transfer in euros, created on a day of 2024 such as `09-20`. */
export const transfer = (external_id: string, amount: string, day: string, status = "complete") => ({
  id: `tr_${external_id}`,
  external_id,
  kind: "cash_in",
  status,
  created_at: `2024-${day}T10:00:00Z`,
  source_total: { amount, currency_code: "fiat/EUR" },
})

/** As September ends: `b` is on its way. */
export const transfers = [
  transfer("z", "1", "09-02"),
  transfer("d", "40", "09-10"),
  transfer("b", "20", "09-20", "executing"),
  transfer("a", "10", "09-28"),
  transfer("e", "50", "09-30"),
  transfer("c", "30", "10-01"),
  transfer("f", "60", "10-31"),
]

/** As October ends: `b` has arrived. */
export const later = <Row extends { readonly external_id: string }>(rows: ReadonlyArray<Row>) =>
  rows.map((one) => (one.external_id === "b" ? { ...one, status: "complete" } : one))

/** A ledger in euros. */
export const csv = (rows: ReadonlyArray<readonly [key: string, amount: number, day: string]>): string =>
  ["external_id,amount,currency,day", ...rows.map(([key, amount, day]) => `${key},${amount},EUR,2024-${day}`)].join(
    "\n",
  )

/** The ledger of September. */
export const september = csv([
  ["b", 20, "09-20"],
  ["c", 30, "09-30"],
  ["d", 40.01, "09-12"],
  ["stray", 5, "09-02"],
  ["z", 1, "09-02"],
])

/** Transfers as an export has them. */
export const ndjson = (rows: ReadonlyArray<object>): string => rows.map((one) => `${JSON.stringify(one)}\n`).join("")
