/**
 * Why nothing matched: the forms in which keys of the ledger would match those of the service. They are hints for a person;
 * nothing is matched by them. Bounded samples of both sides are enough for that.
 */
import * as Amount from "@transferkit/domain/Amount"
import { counted } from "@transferkit/domain/Quantity"
import * as SpreadsheetLoss from "./SpreadsheetLoss.ts"

const maxEntries = 1_000
const maxTransfers = 20_000
/** Hints are given if fewer rows than this share match, for forms in which at least this share would. */
const share = 0.05

/** A form in which keys would match. */
export interface KeyHint {
  /** What the form ignores, as a clause. */
  readonly form: string
  readonly matches: number
  readonly of: number
  /** The hint in words, and what to do. */
  readonly text: string
}

const withoutCase = (key: string): string => key.toLowerCase().replace(/\s/g, "")

const forms: ReadonlyArray<{ readonly form: string; readonly of: (key: string) => string; readonly advice: string }> = [
  { form: "without case and blanks", of: withoutCase, advice: "Write the keys alike in both" },
  {
    form: "without leading zeros",
    of: (key) => withoutCase(key).replace(/^0+/, ""),
    advice: "Export the column of the key as text: a spreadsheet drops zeros, or a number format shows them",
  },
  {
    form: "by their letters and digits",
    of: (key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""),
    advice: "Write the keys alike in both",
  },
]

/** Keys that a spreadsheet has cut match nothing, whatever the keys of the service are. */
const cut = (rest: ReadonlyArray<string>): ReadonlyArray<KeyHint> => {
  const keys = rest.filter(SpreadsheetLoss.isScientific)
  const [matches, of] = [keys.length, rest.length]
  if (matches === 0 || matches < of * share) return []
  const text = `${matches} of ${counted(of, "key")} without a match ${matches === 1 ? "is" : "are"} in scientific notation, such as ${keys[0]?.trim()}: a spreadsheet has taken keys for numbers, and has saved fewer digits than they had. Export the column of the key as text, and do not save it from a spreadsheet.`
  return [{ form: "in scientific notation", matches, of, text }]
}

const digitsLost = /^([0-9])[.,]([0-9]+)E\+[0-9]+$/i

/** Samples of the keys of both sides. */
export class KeyHints {
  readonly #entries: Array<string> = []
  readonly #transfers = new Set<string>()
  /** The keys of the sample that no transfer has had yet. */
  #rest: Set<string> | undefined
  #isMatched = false

  /** Adds a key of the ledger. All of them are added before the first transfer. */
  addEntry(key: string): void {
    if (key !== "" && this.#entries.length < maxEntries) this.#entries.push(key)
  }

  addTransfer(key: string | undefined): void {
    // Most ledgers match, and need no sample of their transfers.
    if (this.#isMatched || key === undefined || this.#transfers.size >= maxTransfers) return
    this.#transfers.add(key)
    this.#rest ??= new Set(this.#entries)
    if (this.#rest.delete(key)) this.#isMatched = this.#isEnough(this.#entries.filter((own) => this.#rest?.has(own)))
  }

  #isEnough(rest: ReadonlyArray<string>): boolean {
    return this.#entries.length - rest.length >= this.#entries.length * share
  }

  /** The forms in which keys that do not match would, if hardly any does; the most likely first. */
  get hints(): ReadonlyArray<KeyHint> {
    const rest = this.#entries.filter((key) => !this.#transfers.has(key))
    if (this.#isMatched || this.#isEnough(rest)) return []
    const found = [
      ...forms.map(({ form, of, advice }) => {
        const known = new Set(Array.from(this.#transfers, of))
        return { form, advice, matches: rest.filter((key) => known.has(of(key))).length }
      }),
      {
        form: "by a part of their text",
        advice: "Find it with --key-pattern",
        matches: rest.filter((key) => key.split(/[^\p{L}\p{N}_-]+/u).some((part) => this.#transfers.has(part))).length,
      },
      {
        form: "by the digits that scientific notation keeps",
        advice: "Export the column of the key as text",
        matches: this.#lost(rest),
      },
    ]
    const hints = found
      .filter(({ matches }) => matches > 0 && matches >= rest.length * share)
      .map(({ form, matches, advice }) => {
        const text = `${matches} of ${counted(rest.length, "key")} without a match would match ${form}. ${advice}.`
        return { form, matches, of: rest.length, text }
      })
      .toSorted((a, b) => b.matches - a.matches)
    return hints.length > 0 ? hints : cut(rest)
  }

  #lost(rest: ReadonlyArray<string>): number {
    const starts = rest.flatMap((key) => {
      const [, first = "", others = ""] = digitsLost.exec(key) ?? []
      return first === "" ? [] : [`${first}${Amount.withoutZeros(`0.${others}`).slice(2)}`]
    })
    if (starts.length === 0) return 0
    const numbers = [...this.#transfers].filter((key) => /^[0-9]+$/.test(key)).toSorted()
    return starts.filter((start) => numbers.some((number) => number.startsWith(start))).length
  }
}
