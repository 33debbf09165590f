/**
 * Exports of banks, payment providers and accounting programs, written after public descriptions and samples of others:
 * their columns and notations, but not their contents. Each is written in four ways: plain, with titles above, with
 * totals and footers below, and with both.
 */
import * as LedgerPresets from "../../src/ledgers/LedgerPresets.ts"
import { detectAll, type LedgerFileOptions } from "../../src/node/LedgerFile.ts"
import * as LedgerProfileFile from "../../src/node/LedgerProfileFile.ts"
import { type Booking, side, signed, styles, sums, write } from "./Bookings.ts"

type Options = Partial<LedgerFileOptions>

/** An export. */
export interface Export {
  readonly name: string
  readonly currency: string
  readonly delimiter?: string
  readonly encoding?: "latin1" | "utf8" | "utf16le"
  readonly above?: string
  readonly header: string
  readonly row: (booking: Booking) => ReadonlyArray<string>
  /** Rows below, each as text. */
  readonly below: ReadonlyArray<string>
  /** What a person who knows the columns gives. */
  readonly options: Options
  /** What is asked then, if anything: of all ways to write it, or of those with rows below. */
  readonly asks?: string
  readonly asksBelow?: string
  /** What the question says to give. */
  readonly answer?: Options
}

const { us, de, fr, bare, comma } = styles
const dmy = ({ day, month }: Booking, separator: string, year = "2024") => [day, month, year].join(separator)
const mdy = ({ day, month }: Booking) => `${month}/${day}/2024`
const ymd = ({ day, month }: Booking) => `2024-${month}-${day}`
const named = ({ day }: Booking) => `${day} Sep 2024`

const preset = (name: string, account?: string): Options => {
  const found = LedgerProfileFile.toOptions(LedgerPresets.presets[name]?.profile ?? {}, detectAll, account)
  if (found._tag === "Failure") throw new Error(found.failure)
  return found.success
}

const skip = (...texts: ReadonlyArray<string>): Options => ({ skipRows: texts.map((text) => ({ text })) })

/** All of them. */
export const exports: ReadonlyArray<Export> = [
  {
    name: "Stripe, itemized balance",
    currency: "fiat/USD",
    header:
      "balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,payment_metadata[external_id]",
    row: (b) => ["txn_1", `${ymd(b)} 10:15:00`, "usd", signed(b, bare), "0.00", signed(b, bare), "charge", b.ref],
    below: ["txn_9,2024-09-30 11:00:00,usd,-1000.00,0.00,-1000.00,payout,"],
    options: preset("stripe"),
  },
  {
    name: "PayPal, activity",
    currency: "fiat/USD",
    header: '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Invoice Number"',
    row: (b) =>
      [mdy(b), "10:15:00", "PDT", "Ann", "Payment", "", "USD", signed(b, us), "0.00", signed(b, us), b.ref].map(quoted),
    below: [],
    options: { columns: { key: "Invoice Number", amount: "Gross", date: "Date" } },
  },
  {
    name: "Wise, balance statement",
    currency: "fiat/EUR",
    header: '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance"',
    row: (b) => ["TRANSFER-1", dmy(b, "-"), signed(b, bare), "EUR", b.text, b.ref, b.balance],
    below: [],
    options: { columns: { key: "Payment Reference", date: "Date", balance: "Running Balance" } },
  },
  {
    name: "Revolut Business",
    currency: "fiat/GBP",
    header: "Date started (UTC),ID,Type,State,Reference,Payer,Amount,Payment currency",
    row: (b) => [ymd(b), "1a", "TRANSFER", "COMPLETED", b.ref, "Ann", signed(b, bare), "GBP"],
    below: [`,,,,,Total,${sums.net},`],
    options: { columns: { currency: "Payment currency", date: "Date started (UTC)" } },
  },
  {
    name: "Sparkasse, CSV-CAMT",
    currency: "fiat/EUR",
    delimiter: ";",
    encoding: "latin1",
    header:
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Kundenreferenz (End-to-End)";"Beg\u00fcnstigter";"Betrag";"Waehrung";"Info"',
    row: (b) =>
      [
        "DE1",
        dmy(b, ".", "24"),
        dmy(b, ".", "24"),
        b.text,
        b.ref,
        "M\u00fcller",
        signed(b, comma),
        "EUR",
        "Umsatz gebucht",
      ].map(quoted),
    below: ['"DE1";"01.10.24";"01.10.24";"x";"R-9";"M";"9,00";"EUR";"Umsatz vorgemerkt"'],
    options: preset("sparkasse"),
  },
  {
    name: "Deutsche Bank",
    currency: "fiat/EUR",
    delimiter: ";",
    encoding: "latin1",
    above: "Ums\u00e4tze Girokonto;;;Kundennummer: 100\n1.9.2024 - 30.9.2024\nLetzter Kontostand;;;;9.216,80;EUR\n",
    header: "Buchungstag;Wert;Verwendungszweck;Kundenreferenz;Soll;Haben;W\u00e4hrung",
    row: (b) => {
      const out = side(b, "out", de)
      return [dmy(b, "."), dmy(b, "."), b.text, b.ref, out === "" ? "" : `-${out}`, side(b, "in", de), "EUR"]
    },
    below: ["Kontostand;30.9.2024;;;;1.236.734,60;EUR"],
    options: {
      columns: { key: "Kundenreferenz", in: "Haben", out: "Soll", currency: "W\u00e4hrung", date: "Buchungstag" },
    },
    asks: "is negative in the column of money out",
    answer: {
      columns: {
        key: "Kundenreferenz",
        in: "Haben",
        out: "Soll",
        sign: "none",
        currency: "W\u00e4hrung",
        date: "Buchungstag",
      },
      ...skip("Kontostand"),
    },
  },
  {
    name: "Commerzbank",
    currency: "fiat/EUR",
    delimiter: ";",
    header: "Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;W\u00e4hrung;Referenz",
    row: (b) => [dmy(b, "."), dmy(b, "."), "\u00dcberweisung", b.text, signed(b, comma), "EUR", b.ref],
    below: [`;;;Summe;${write(sums.net, comma)};EUR;`],
    options: { columns: { key: "Referenz", amount: "Betrag", currency: "W\u00e4hrung", date: "Buchungstag" } },
  },
  {
    name: "ING, Germany",
    currency: "fiat/EUR",
    delimiter: ";",
    encoding: "latin1",
    above: "Umsatzanzeige;Datei erstellt am: 01.10.2024 10:00\n\nIBAN;DE1\nKontoname;Girokonto\nSaldo;9.216,80;EUR\n\n",
    header:
      "Buchung;Wertstellungsdatum;Auftraggeber;Buchungstext;Verwendungszweck;Saldo;W\u00e4hrung;Betrag;W\u00e4hrung",
    row: (b) => [
      dmy(b, "."),
      dmy(b, "."),
      "Ann",
      b.text,
      `Rechnung ${b.ref} danke`,
      write(b.balance, de),
      "EUR",
      signed(b, de),
      "EUR",
    ],
    below: [],
    options: {
      columns: { key: "Verwendungszweck", amount: "Betrag", date: "Buchung", balance: "Saldo" },
      keyPattern: "R-[0-9]+",
      currency: "EUR",
    },
  },
  {
    name: "N26",
    currency: "fiat/EUR",
    header: '"Booking Date","Value Date","Partner Name","Type","Payment Reference","Amount (EUR)"',
    row: (b) => [ymd(b), ymd(b), "Ann", "Income", b.ref, signed(b, bare)].map(quoted),
    below: [],
    options: { columns: { key: "Payment Reference", amount: "Amount (EUR)", date: "Booking Date" } },
    asks: "its currency is unknown",
    answer: {
      columns: { key: "Payment Reference", amount: "Amount (EUR)", date: "Booking Date" },
      currency: "EUR",
    },
  },
  {
    name: "DATEV, Buchungsstapel",
    currency: "fiat/EUR",
    delimiter: ";",
    encoding: "latin1",
    header: `"EXTF";700;21;"Buchungsstapel";9;2024;;"RE";"";"";1;2;20240101;4;20240901;20240930;"";"";1;0;0;"EUR"\nUmsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Gegenkonto (ohne BU-Schl\u00fcssel);Belegdatum;Belegfeld 1`,
    row: (b) => [
      write(b.plain, comma),
      `"${b.isOut ? "H" : "S"}"`,
      '""',
      "1200",
      "8400",
      `${b.day}${b.month}`,
      `"${b.ref}"`,
    ],
    below: ['7,00;"S";"";4970;4711;1509;"R-9"'],
    options: preset("datev", "1200"),
  },
  {
    name: "QuickBooks, Transaction List",
    currency: "fiat/USD",
    above: "Acme Inc.,,,,,\nTransaction List by Date,,,,,\nSeptember 2024,,,,,\n,,,,,\n",
    header: ",Date,Transaction Type,Num,Name,Amount",
    row: (b) => ["", mdy(b), b.text, b.ref, "Ann", quoted(signed(b, us))],
    below: [`Total for Ann,,,,,"${write(sums.net, us)}"`, `TOTAL,,,,,"${write(sums.net, us)}"`, ",,,,,"],
    options: { ...preset("quickbooks"), currency: "USD" },
  },
  {
    name: "Xero, Account Transactions",
    currency: "fiat/GBP",
    above: "Account Transactions,,,,,,\nAcme Ltd,,,,,,\nFor the period 1 Sep 2024 to 30 Sep 2024,,,,,,\n,,,,,,\n",
    header: "Date,Source,Description,Reference,Debit,Credit,Running Balance",
    row: (b) => [named(b), "Bank", b.text, b.ref, side(b, "in", bare), side(b, "out", bare), b.balance],
    below: [`Total Business,,,,${sums.in},${sums.out},`, "Closing Balance,,,,1235734.60,,1235734.60"],
    options: { ...preset("xero"), currency: "GBP" },
  },
  {
    name: "BNP Paribas",
    currency: "fiat/EUR",
    delimiter: ";",
    header: "Date;Libell\u00e9;R\u00e9f\u00e9rence;Montant;Devise",
    row: (b) => [dmy(b, "/"), b.text, b.ref, signed(b, fr), "EUR"],
    below: [`;Total;;${write(sums.net, fr)};`],
    options: { columns: { key: "R\u00e9f\u00e9rence", amount: "Montant", currency: "Devise", date: "Date" } },
  },
  {
    name: "Cr\u00e9dit Agricole",
    currency: "fiat/EUR",
    delimiter: ";",
    encoding: "latin1",
    header: "Date;Libell\u00e9;Pi\u00e8ce;D\u00e9bit euros;Cr\u00e9dit euros",
    row: (b) => [dmy(b, "/"), b.text, b.ref, side(b, "out", comma), side(b, "in", comma)],
    below: [`;Total des op\u00e9rations;;${write(sums.out, comma)};${write(sums.in, comma)}`],
    options: {
      columns: { key: "Pi\u00e8ce", in: "Cr\u00e9dit euros", out: "D\u00e9bit euros", date: "Date" },
      currency: "EUR",
    },
  },
]

function quoted(text: string): string {
  return `"${text}"`
}
