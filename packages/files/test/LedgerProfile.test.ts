import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, describe, expect, test } from "vitest"
import * as LedgerPresets from "../src/ledgers/LedgerPresets.ts"
import * as LedgerProfile from "../src/ledgers/LedgerProfile.ts"
import { detectAll } from "../src/node/LedgerFile.ts"
import type * as LedgerFile from "../src/node/LedgerFile.ts"
import * as LedgerProfileFile from "../src/node/LedgerProfileFile.ts"
import * as Ledgers from "./Ledgers.ts"

const { path, read, remove } = Ledgers.folder()
afterAll(remove)

const optionsOf = async (name: string, account?: string) =>
  LedgerProfileFile.toOptions(await Effect.runPromise(LedgerProfileFile.read(name)), detectAll, account)

describe("a profile", () => {
  test("is read from a file, and gives what flags do not", async () => {
    const file = join(path, "bank.json")
    const profile = {
      columns: { key: "Ref", amount: "Sum", sign: "none" },
      header_row: 2,
      skip_rows: [{ text: "End" }],
      key_pattern: "[a-z]+",
      currency: "EUR",
      decimal: ",",
      flip_sign: true,
    }
    await writeFile(file, JSON.stringify(profile))
    const options = Result.getOrThrow(await optionsOf(file))
    const found = await read("Acme;;\nRef;Sum;D/C\n1 a 2;1,50;D\nEnd;9,00;\n", options)
    expect(found.rows).toEqual(["line 3 | a | -1.50 fiat/EUR"])
    const given = { ...detectAll, columns: { amount: "Other" }, currency: "USD", headerRow: 7, decimal: "." as const }
    expect(
      LedgerProfileFile.toOptions(Result.getOrThrow(LedgerProfile.parse(JSON.stringify(profile))), given, undefined),
    ).toMatchObject({
      success: {
        columns: { key: "Ref", amount: "Other" },
        currency: "USD",
        headerRow: 7,
        decimal: ".",
        flipSign: true,
      },
    })
  })

  test.each([
    [
      "{",
      "it is no ledger profile: it is not JSON: line 1, column 2: expected a name in double quotes or }, found the end of the text",
    ],
    ["[]", "it is no ledger profile: Expected"],
    ['{"colums":{}}', "colums"],
    ['{"columns":{"keys":"a"}}', "keys"],
    ['{"decimal":"x"}', "decimal"],
  ])("%s is rejected", (text, reason) => {
    expect(LedgerProfile.parse(text)).toMatchObject({ failure: expect.stringContaining(reason) })
  })

  test("that is neither a file nor a preset is rejected, with the names of the presets", async () => {
    const found = await Effect.runPromise(Effect.flip(LedgerProfileFile.read(join(path, "none"))))
    expect(found.reason).toContain("A ledger profile is a file, or one of stripe, datev, sparkasse, quickbooks, xero")
  })
})

test.each(Object.keys(LedgerPresets.presets))(
  "the preset %s fails if a column that it names is absent",
  async (name) => {
    const options = Result.getOrThrow(await optionsOf(name, name === "datev" ? "1200" : undefined))
    expect((await read("a,b\n1,2\n", options)).reason).toMatch(/it has no column .* for the key/)
  },
)

test.each([
  [
    "xero",
    "Date,Source,Description,Reference,Debit,Credit,Running Balance",
    "Total Energies",
    "12 Sep 2024,Spend,TEXT,order-2,700.00,,",
  ],
  [
    "quickbooks",
    ",Date,Transaction Type,Num,Name,Memo,Amount",
    "TOTAL",
    ",09/13/2024,Payment,order-2,TEXT,fuel,700.00",
  ],
  [
    "quickbooks",
    ",Date,Transaction Type,Num,Name,Memo,Amount",
    "Total for me",
    ",09/13/2024,Payment,order-2,A,TEXT,700.00",
  ],
])("the preset %s leaves out no row with a day, whatever its payer wrote", async (name, header, text, row) => {
  const columns = name === "xero" ? { in: "Debit", out: "Credit" } : {}
  const preset = Result.getOrThrow(await optionsOf(name, undefined))
  const options = { ...preset, currency: "EUR", columns: { ...preset.columns, ...columns } }
  const found = await read(`${header}\n${row.replace("TEXT", text)}\n`, options)
  expect(found.rows).toEqual([expect.stringContaining("| order-2 | 700.00 fiat/EUR")])
  const undated = row.replace(/[0-9]{2}[ /]\S+ ?2024/, text)
  expect((await read(`${header}\n${row}\n${undated}\n`, options)).reading?.left_out).toMatchObject([
    { reason: "named", rows: 1 },
  ])
})

describe("Stripe", () => {
  const header = "created_utc,created,currency,gross,reporting_category,payment_metadata[external_id]"
  const csv = (...rows: ReadonlyArray<string>) => [header, ...rows, ""].join("\n")
  const zoned = (timeZone: string) => ({ ...detectAll, timeZone: DateTime.zoneMakeNamedUnsafe(timeZone) })
  const ofStripe = async (given: LedgerFile.LedgerFileOptions) =>
    Result.getOrThrow(
      LedgerProfileFile.toOptions(await Effect.runPromise(LedgerProfileFile.read("stripe")), given, undefined),
    )
  const late = csv(
    "2024-09-30 21:59:59,2024-09-30 23:59:59,eur,5.00,charge,a",
    "2024-09-30 22:00:00,2024-10-01 00:00:00,eur,5.00,charge,b",
  )

  test.each([
    ["Europe/Berlin", ["2024-09-30", "2024-10-01"]],
    ["UTC", ["2024-09-30", "2024-09-30"]],
  ])("has days of %s, which its times in UTC give", async (zone, days) => {
    const options = await ofStripe(zoned(zone))
    const found = await read(late, options)
    expect(found.rows?.map((row) => row.split(" | ").at(-1))).toEqual(days)
    expect(found.reading?.utc_times).toBe(true)
    expect(LedgerProfileFile.fromOptions(options).utc_times).toBe(true)
  })

  test("leaves the row of another month out, and compares the others as instants", async () => {
    const period = Result.getOrThrow(CreatedAt.month("2024-09", zoned("Europe/Berlin").timeZone))
    const found = await read(late, await ofStripe({ ...zoned("Europe/Berlin"), period }))
    expect(found.rows).toEqual(["line 2 | a | 5.00 fiat/EUR | 2024-09-30"])
    expect(found.reading?.outside).toBe(1)
  })

  test("has the days that another column shows, if one is named", async () => {
    const found = await read(late, await ofStripe({ ...zoned("America/New_York"), columns: { date: "created" } }))
    expect(found.rows?.map((row) => row.split(" | ").at(-1))).toEqual(["2024-09-30", "2024-10-01"])
    expect(found.reading?.utc_times).toBeUndefined()
    const same = await ofStripe({ ...zoned("America/New_York"), columns: { date: " Created_UTC" } })
    expect(same.utcTimes).toBe(true)
  })

  test("asks about a date without its time, if that can be two days of the time zone", async () => {
    const cut = csv("2024-09-30,,eur,5.00,charge,a")
    expect((await read(cut, await ofStripe(zoned("Europe/Berlin")))).reason).toContain(
      'line 2: its date "2024-09-30" is in UTC and has no time, so that it can be two days of the time zone. Export it with its time, name a column of local dates with --map date=COLUMN, or keep the books in UTC: --time-zone UTC',
    )
    expect((await read(cut, await ofStripe(zoned("UTC")))).rows).toEqual(["line 2 | a | 5.00 fiat/EUR | 2024-09-30"])
  })
})

describe("DATEV", () => {
  const head = (from: string, to: string) =>
    `"EXTF";700;21;"Buchungsstapel";9;20241001;;"RE";"x";"";1;2;20240101;4;${from};${to};"";"";1;0;0;"EUR"${";".repeat(9)}`
  const header =
    "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum;Belegfeld 1"
  const rows =
    '1.941,13;"S";"EUR";1200;8400;109;"R-1"\n28,49;"S";"";4970;1200;3009;"R-2"\n5,00;"H";"USD";1200;4711;1509;"R-3"\n7,00;"S";"";4970;4711;1509;"R-4"\n'
  const file = (from: string, to: string) => Buffer.from(`${head(from, to)}\r\n${header}\r\n${rows}`, "latin1")

  test("needs one's own account, turns its counterpart, and completes days and currencies by the first line", async () => {
    expect(await optionsOf("datev")).toMatchObject({ failure: expect.stringContaining("--ledger-account <number>") })
    const found = await read(file("20240901", "20240930"), Result.getOrThrow(await optionsOf("datev", "1200")))
    expect(found.rows).toEqual([
      "line 3 | R-1 | 1941.13 fiat/EUR | 2024-09-01",
      "line 4 | R-2 | -28.49 fiat/EUR | 2024-09-30",
      "line 5 | R-3 | -5.00 fiat/USD | 2024-09-15",
    ])
    expect(found.reading?.left_out).toEqual([{ reason: "account", rows: 1, places: ["line 6"] }])
  })

  test("rejects a day outside of its period", async () => {
    const found = await read(file("20240902", "20240930"), Result.getOrThrow(await optionsOf("datev", "1200")))
    expect(found.reason).toContain('line 3: Not a date: "109"')
  })

  test("turns the side of a row that cancels a booking, and asks about one that may", async () => {
    const cancelling = (reversal: string, key = "") => {
      const own = `${header};Generalumkehr (GU);BU-Schl\u00fcssel`
      const row = `50,00;"S";"EUR";1200;8400;109;"R-1";${reversal};${key}\n`
      return Buffer.from(`${head("20240901", "20240930")}\r\n${own}\r\n${row}`, "latin1")
    }
    const options = Result.getOrThrow(await optionsOf("datev", "1200"))
    const of = async (...args: Parameters<typeof cancelling>) => {
      const { rows, reason } = await read(cancelling(...args), options)
      return rows?.[0] ?? reason
    }
    for (const reversal of ['"1"', "G", '"G"']) {
      expect(await of(reversal)).toBe("line 3 | R-1 | -50.00 fiat/EUR | 2024-09-01")
    }
    for (const [reversal, key] of [
      ["0", "20"],
      ["", "9"],
      ["", "401"],
    ] as const) {
      expect(await of(reversal, key)).toBe("line 3 | R-1 | 50.00 fiat/EUR | 2024-09-01")
    }
    expect(await of("", "20")).toContain(
      "line 3: its BU-Schl\u00fcssel 20 may be that of a Generalumkehr: enter 1 or 0",
    )
    expect(await of("x")).toContain('line 3: its Generalumkehr (GU) is "x", expected 1, G or 0')
  })

  test("takes the year in which a day is in the period", async () => {
    const found = await read(file("20240910", "20250905"), Result.getOrThrow(await optionsOf("datev", "1200")))
    expect(found.rows?.map((row) => row.split(" | ")[3])).toEqual(["2025-09-01", "2024-09-30", "2024-09-15"])
  })
})

test("an account needs columns for it", () => {
  expect(LedgerProfileFile.toOptions({}, detectAll, "1")).toMatchObject({
    failure: expect.stringContaining("a ledger profile with account_columns"),
  })
})
