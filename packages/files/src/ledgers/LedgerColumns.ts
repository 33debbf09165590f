/** The columns of a ledger by their names. A name that is only close to a usual one is suggested, and never taken. */
import * as Result from "effect/Result"
import * as Direction from "./Direction.ts"

/** The parts of a ledger entry, and the usual names of their columns. Those of a direction are never assumed. */
export const usualNames = {
  key: ["external_id", "key", "reference", "order_id", "endtoendid"],
  amount: ["amount", "source_total_amount", "total", "amt"],
  currency: ["currency_code", "currency", "source_total_currency_code", "ccy"],
  status: ["status"],
  date: [],
  in: [],
  out: [],
  sign: [],
  balance: [],
  payout: [],
} as const

/** A part of a ledger entry. */
export type Part = keyof typeof usualNames

/** All parts. `in` and `out` are columns of money in and out, `sign` is one of markers, `balance` is a running one, `payout` its id. */
export const parts: ReadonlyArray<Part> = [
  "key",
  "amount",
  "currency",
  "status",
  "date",
  "in",
  "out",
  "sign",
  "balance",
  "payout",
]

/** Columns by part, as named by a person. `sign` may be `none`: what shows a direction is ignored. */
export type Given = Readonly<Partial<Record<Part, string>>>

/** Reads texts such as `key=Order no`; or says, as a clause, which one it cannot read. */
export const parse = (texts: ReadonlyArray<string>): Result.Result<Given, string> => {
  const columns: Partial<Record<Part, string>> = {}
  for (const text of texts) {
    const at = text.indexOf("=")
    const part = parts.find((name) => name === text.slice(0, Math.max(0, at)))
    if (part === undefined) {
      return Result.fail(
        `expected <part>=<column> with one of ${parts.join(", ")}, such as key="Order no", found ${JSON.stringify(text)}`,
      )
    }
    columns[part] = text.slice(at + 1)
  }
  return Result.succeed(columns)
}

/** The index of the cell of each part. */
export type Columns = Readonly<Partial<Record<Part, number>>>

/** The answer that no column shows the sign. */
export const noSign = "none"

/**
 * The parts without which a row is no header: the key, the amount or its sides, and all that were named. With a running
 * balance, the sides need no names.
 */
const wanted = (header: ReadonlyArray<string>, given: Given): ReadonlyArray<Part> => {
  const hasSides =
    given.in !== undefined ||
    given.out !== undefined ||
    (given.balance !== undefined && given.amount === undefined && Direction.sidesOf(header) !== undefined)
  return parts.filter(
    (part) =>
      (part === "sign" && given.sign !== undefined && given.sign !== noSign) ||
      // Of several ledgers, one may name the payouts of the rows of another.
      (part !== "sign" && part !== "payout" && given[part] !== undefined) ||
      part === "key" ||
      (part === "amount" && !hasSides),
  )
}

const normal = (name: string): string => name.trim().toLowerCase()

const namesOf = (part: Part, given: Given): ReadonlyArray<string> =>
  given[part] === undefined ? usualNames[part] : [normal(given[part])]

/** The indices of the cells that name a part. */
const indicesOf = (names: ReadonlyArray<string>, part: Part, given: Given): ReadonlyArray<number> => {
  const candidates = new Set(namesOf(part, given))
  return names.flatMap((name, index) => (candidates.has(name) ? [index] : []))
}

/** How many of the wanted parts a row names: once each, and at all. */
export const score = (cells: ReadonlyArray<string | undefined>, given: Given) => {
  const header = Array.from(cells, (cell) => cell ?? "")
  const names = header.map(normal)
  const counts = wanted(header, given).map((part) => indicesOf(names, part, given).length)
  return {
    isHeader: counts.every((count) => count === 1),
    named: counts.filter((count) => count > 0).length,
  }
}

/** Finds the columns of a ledger by its header, and asks for all that are missing at once. */
export const find = (header: ReadonlyArray<string>, given: Given): Result.Result<Columns, string> => {
  const names = header.map(normal)
  const columns: Partial<Record<Part, number>> = {}
  const required = new Set(wanted(header, given))
  const problems: Array<Problem> = []
  const sides = Direction.sidesOf(header)
  if ((given.in === undefined) !== (given.out === undefined)) {
    const missing = given.in === undefined ? "in" : "out"
    return Result.fail(`one of two columns of its direction is named. Name the other with --map ${missing}=<column>`)
  }
  for (const part of parts) {
    if (part === "sign" && given.sign === noSign) continue
    const found = indicesOf(names, part, given)
    const [index, ...others] = found
    if (others.length > 0) {
      const isRepeated = new Set(found.map((at) => names[at])).size < found.length
      const candidates = listed(
        found.map((at) => header[at] ?? ""),
        "or",
      )
      problems.push(
        isRepeated
          ? {
              part,
              text: `it has several columns ${header[index ?? 0]?.slice(0, 64)}, so its ${part} is ambiguous`,
              advice: "rename",
            }
          : { part, text: `its ${part} could be ${candidates}`, advice: "name", close: [] },
      )
    } else if (index !== undefined) columns[part] = index
    else if (part === "amount" && required.has(part) && sides !== undefined) {
      problems.push({ part, text: Direction.sidesQuestion(sides), advice: "sides" })
    } else if (required.has(part)) {
      const close = suggestions(header, part, new Set(Object.values(columns)))
      const text = `it has no column ${namesOf(part, given).join(" or ")} for the ${part}`
      problems.push({ part, text, advice: "name", close })
    }
  }
  if (problems.length === 0) return Result.succeed(columns)
  return Result.fail(question(problems, header, given))
}

type Problem =
  | { readonly part: Part; readonly text: string; readonly advice: "rename" | "sides" }
  | {
      readonly part: Part
      readonly text: string
      readonly advice: "name"
      /** Columns whose names are close. */
      readonly close: ReadonlyArray<string>
    }

const question = (problems: ReadonlyArray<Problem>, header: ReadonlyArray<string>, given: Given): string => {
  const texts = problems.map(({ text }) => text).join(", and ")
  const isMissing = problems.some((problem) => problem.advice !== "rename" && problem.text.startsWith("it has no"))
  const close = problems.flatMap((problem) =>
    problem.advice === "name" && problem.close.length > 0
      ? [`For the ${problem.part}, ${listed(problem.close, "or")} may be meant.${idHint(problem)}`]
      : [],
  )
  const toName = problems.filter(({ advice }) => advice === "name")
  const advice = [
    ...(problems.some((problem) => problem.advice === "rename") ? ["Rename all but one."] : []),
    ...(toName.length === 0 ? [] : [hintOf(toName.map(({ part }) => part))]),
  ]
  const present = isMissing ? `; its columns are ${listed(header, "and")}` : ""
  return [
    `${texts}${present}.`,
    ...close,
    ...advice,
    ...(isMissing && close.length > 0 ? currencyAdvice(header, given) : []),
  ].join(" ")
}

/** What to say of the currency, if no column has a name that shows it. */
const currencyAdvice = (header: ReadonlyArray<string>, given: Given): ReadonlyArray<string> => {
  if (given.currency !== undefined || indicesOf(header.map(normal), "currency", given).length > 0) return []
  const close = suggestions(header, "currency", new Set())
  return close.length > 0
    ? [`For the currency, ${listed(close, "or")} may be meant: --map currency=<column>.`]
    : ["If no column has the currency, name it with --ledger-currency."]
}

/** A key is matched with the external_id unless a flag says otherwise, so that the ids of the service would match nothing. */
const idHint = ({ part, close }: { readonly part: Part; readonly close: ReadonlyArray<string> }): string => {
  const id = part === "key" ? close.find((name) => /^(?:transfer[ _-]?)?id$/i.test(name)) : undefined
  return id === undefined ? "" : ` If ${id} holds the service's own ids, give --key id as well.`
}

const hintOf = (missing: ReadonlyArray<Part>): string => {
  const flags = missing.map((part) => `--map ${part}=<column>`).join(" ")
  return missing.length === 1 && missing[0] === "currency"
    ? currencyHint
    : `Name ${missing.length === 1 ? "it" : "them"} with ${flags}.`
}

/** How to name the currency. */
export const currencyHint = "Name it with --map currency=<column> or --ledger-currency fiat/USD."

const maxListed = 30

/** The first names of a list, in words. */
export const listed = (names: ReadonlyArray<string>, word: string): string => {
  const shown = names.slice(0, maxListed).map((name) => name.trim().slice(0, 64))
  if (names.length > maxListed) return `${shown.join(", ")} ${word} ${names.length - maxListed} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1)}`
}

// ---------------------------------------------------------------------------------------------------- suggestions

/** Words of names in English, German, French and Spanish; the likelier first. */
const closeWords: Readonly<Partial<Record<Part, string>>> = {
  key: "external end-to-end endtoend e2e merchant order invoice reference ref num number no id kundenreferenz bestellnummer belegnummer rechnungsnummer beleg rechnung nummer verwendungszweck référence commande facture numéro pièce libellé referencia pedido factura número folio documento concepto description memo details",
  amount:
    "amount gross net value sum betrag umsatz bruttobetrag wert summe brutto montant somme valeur importe monto valor total",
  currency: "currency ccy curr währung waehrung whg devise monnaie moneda divisa",
  status: "status state zustand statut état estado",
  date: "date day posted booked datum buchungstag buchungsdatum valuta jour fecha día",
  balance: "balance saldo kontostand solde",
  payout: "payout settlement batch auszahlung versement liquidación",
}

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .split(/[^a-z0-9]+/)

/** Up to three columns whose names have a word for a part. */
const suggestions = (header: ReadonlyArray<string>, part: Part, taken: ReadonlySet<number>): ReadonlyArray<string> => {
  const close = wordsOf(closeWords[part] ?? "").filter((word) => word !== "")
  const ranked = header.flatMap((name, index) => {
    const words = wordsOf(name)
    const rank = close.findIndex((word) => words.includes(word) || (word.length > 5 && words.join("").includes(word)))
    return rank === -1 || taken.has(index) ? [] : [{ name: name.trim(), rank }]
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, 3)
    .map(({ name }) => name)
}
