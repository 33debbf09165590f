/**
 * Checks an export against the service without any code of the repository: its own loop over the pages, its own reading
 * of the rows, and sums by python3's decimal, or by BigInt if there is no python3.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** The money fields of a transfer on the wire (partner-api.md, 2.3). */
export const moneyFields = [
  "source_total",
  "source_total_usd",
  "source_subtotal",
  "source_subtotal_usd",
  "destination_total",
  "destination_total_usd",
  "service_fee",
  "service_fee_usd",
  "network_fee",
  "network_fee_usd",
] as const

/** The part of a transfer that is checked, as parsed from JSON. */
export type Row = {
  readonly id: string
  readonly external_id?: string
  readonly status?: string
  readonly created_at?: string
} & {
  readonly [Field in (typeof moneyFields)[number]]?: { readonly amount: string; readonly currency_code: string } | null
}

interface Page {
  readonly results: ReadonlyArray<Row>
  readonly page_info: { readonly has_next_page: boolean; readonly end_cursor?: string }
}

/** Every transfer of the service, page after page. */
export const everyTransfer = async (url: string, credentials: string): Promise<ReadonlyArray<Row>> => {
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }
  const rows: Array<Row> = []
  const target = new URL(`${url}/v1/transfers/search?limit=20`)
  for (;;) {
    const response = await fetch(target, { headers })
    if (!response.ok) throw new Error(`GET ${target.pathname} returned ${response.status}`)
    const page: Page = JSON.parse(await response.text())
    rows.push(...page.results)
    if (!page.page_info.has_next_page) return rows
    target.searchParams.set("after_cursor", page.page_info.end_cursor ?? "")
  }
}

/** The rows of an NDJSON file. */
export const readNdjson = (file: string): ReadonlyArray<Row> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** The first ten differences between the service's transfers and the exported ones. */
export const differences = (served: ReadonlyArray<Row>, exported: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const left = new Map(served.map((row) => [row.id, canonical(row)]))
  const found: Array<string> = []
  for (const row of exported) {
    const expected = left.get(row.id)
    if (expected === undefined) found.push(`${row.id} is exported twice, or the service does not have it`)
    else if (expected !== canonical(row)) found.push(`${row.id} is exported with other values`)
    left.delete(row.id)
  }
  for (const id of left.keys()) found.push(`${id} is missing`)
  return found.slice(0, 10)
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Exact totals of one field by currency, as plain decimals without trailing zeros. */
export type Totals = Readonly<Record<string, string>>

const python = `
import decimal, json, sys
decimal.getcontext().prec = 200
totals = {}
for line in open(sys.argv[1], encoding="utf-8"):
    money = json.loads(line).get(sys.argv[2])
    if money:
        code = money["currency_code"]
        totals[code] = totals.get(code, decimal.Decimal(0)) + decimal.Decimal(money["amount"])
def plain(total):
    text = format(total, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
print(json.dumps({code: plain(total) for code, total in totals.items()}))
`

/** The totals of a field of an NDJSON file, and the tool that summed them. */
export const totals = (
  file: string,
  field: (typeof moneyFields)[number],
): { readonly totals: Totals; readonly by: string } => {
  const { status, stdout } = spawnSync("python3", ["-c", python, file, field], { encoding: "utf8" })
  return status === 0
    ? { totals: JSON.parse(stdout), by: "python3's decimal" }
    : { totals: totalsByBigInt(readNdjson(file), field), by: "BigInt" }
}

/** The same without python3: all amounts scaled to one power of ten. */
export const totalsByBigInt = (rows: ReadonlyArray<Row>, field: (typeof moneyFields)[number]): Totals => {
  const sums = new Map<string, bigint>()
  for (const row of rows) {
    const money = row[field]
    if (!money) continue
    const [whole = "", fraction = ""] = money.amount.split(".")
    const scaled = BigInt(whole + fraction.padEnd(scale, "0"))
    sums.set(money.currency_code, (sums.get(money.currency_code) ?? 0n) + scaled)
  }
  return Object.fromEntries([...sums].map(([code, sum]) => [code, plain(sum)]))
}

/** More fraction digits than any amount can have. */
const scale = 255

const plain = (scaled: bigint): string => {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(scale + 1, "0")
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, "")
  return scaled < 0n ? `-${text}` : text
}

/** A decimal without trailing zeros, to compare totals written with a fixed scale. */
export const withoutTrailingZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)
