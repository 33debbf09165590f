/** Profiles of exports that many have. Each says what it rests on. One that names a column that is absent fails. */
import type { LedgerProfile } from "./LedgerProfile.ts"

/** A profile with its source. */
export interface Preset {
  readonly about: string
  /** Whether the publisher of the format documents it, or only samples of others are known. */
  readonly basis: "documented" | "samples"
  readonly profile: LedgerProfile
}

/** The presets by name. */
export const presets: Readonly<Record<string, Preset>> = {
  stripe: {
    about: "Stripe's itemized balance and payout reports; the key is payment_metadata[external_id]",
    basis: "documented",
    profile: {
      columns: {
        key: "payment_metadata[external_id]",
        amount: "gross",
        currency: "currency",
        date: "created_utc",
        sign: "none",
      },
      // A payout is the settlement of the other rows.
      skip_rows: [{ column: "reporting_category", text: "payout" }],
      date_order: "ymd",
      // Stripe has the time of the report's own zone in another column, `created`.
      utc_times: true,
    },
  },
  datev: {
    about: "DATEV Buchungsstapel (EXTF or DTVF); needs --ledger-account",
    basis: "documented",
    profile: {
      columns: {
        key: "Belegfeld 1",
        amount: "Umsatz (ohne Soll/Haben-Kz)",
        currency: "WKZ Umsatz",
        date: "Belegdatum",
        sign: "Soll/Haben-Kennzeichen",
      },
      marker_in: ["S"],
      marker_out: ["H"],
      account_columns: { own: "Konto", contra: "Gegenkonto (ohne BU-Schlüssel)" },
      decimal: ",",
      date_order: "ymd",
    },
  },
  sparkasse: {
    about: "CSV-CAMT of German savings banks, without what is not booked yet",
    basis: "samples",
    profile: {
      columns: {
        key: "Kundenreferenz (End-to-End)",
        amount: "Betrag",
        currency: "Waehrung",
        date: "Buchungstag",
      },
      skip_rows: [{ column: "Info", text: "Umsatz vorgemerkt" }],
      decimal: ",",
      date_order: "dmy",
    },
  },
  quickbooks: {
    about: "QuickBooks' Transaction List; its columns can be chosen, and must have Num",
    basis: "samples",
    profile: {
      columns: { key: "Num", amount: "Amount", date: "Date" },
      skip_rows: [
        { text: "Total for *", undated: true },
        { text: "TOTAL", undated: true },
      ],
      decimal: ".",
    },
  },
  xero: {
    about: "Xero's Account Transactions; the running balance proves which side is money in",
    basis: "samples",
    profile: {
      columns: { key: "Reference", date: "Date", balance: "Running Balance" },
      skip_rows: [
        { text: "Opening Balance", undated: true },
        { text: "Closing Balance", undated: true },
        { text: "Total *", undated: true },
        { text: "Net movement", undated: true },
      ],
      decimal: ".",
    },
  },
}
