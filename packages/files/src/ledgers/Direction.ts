/**
 * Which amounts of a ledger are money in. The side that counts as income depends on the account: in a bank's statement a
 * credit is income, in one's own ledger account of that bank it is a debit. So it is never taken from a name.
 */
/** How a ledger shows the direction of an amount. */
export type Sign =
  /** By the sign of the amount. */
  | { readonly _tag: "Signed" }
  /** By the column in which it stands. `isSigned` if its cells have their own signs, too. */
  | { readonly _tag: "Columns"; readonly in: number; readonly out: number; readonly isSigned: boolean }
  /** By a column of markers. */
  | { readonly _tag: "Marked"; readonly column: number; readonly markers: Markers }

/** The markers of money in and out, in capitals. */
export interface Markers {
  readonly in: ReadonlyArray<string>
  readonly out: ReadonlyArray<string>
}

/** No markers. */
export const noMarkers: Markers = { in: [], out: [] }

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9+-]+/g, " ")
    .trim()

const debits = new Set(
  "debit,debits,dr,soll,debe,cargo,cargos,withdrawal,withdrawals,paid out,money out,spent,belastung,belastungen,lastschrift,ausgabe,ausgaben,ausgang,depense,depenses,gasto,gastos,egreso,egresos,retrait,retraits,outflow,payments".split(
    ",",
  ),
)
const credits = new Set(
  "credit,credits,cr,haben,haber,abono,abonos,deposit,deposits,paid in,money in,received,gutschrift,gutschriften,einnahme,einnahmen,eingang,recette,recettes,ingreso,ingresos,depot,depots,inflow,receipts".split(
    ",",
  ),
)

/** What stands beside the word in names such as `Debit Amount (EUR)`. */
const fillers =
  /\b(?:amount|amt|betrag|montant|importe|monto|value|valeur|valor|local|in|en|eur|usd|gbp|chf|inr|jpy|cad|aud|mxn)\b/g

const sideOf = (name: string): "debit" | "credit" | undefined => {
  const text = plain(name)
  const bare = text.replace(fillers, " ").replace(/ +/g, " ").trim()
  for (const candidate of [text, bare]) {
    if (debits.has(candidate)) return "debit"
    if (credits.has(candidate)) return "credit"
  }
  return undefined
}

const pairs = [
  ["cr", "dr"],
  ["credit", "debit"],
  ["c", "d"],
  ["haben", "soll"],
  ["h", "s"],
  ["haber", "debe"],
  ["abono", "cargo"],
  ["crdt", "dbit"],
] as const

const isMarkerName = (name: string): boolean => {
  const words = new Set(plain(name).split(" "))
  return pairs.some(([credit, debit]) => words.has(credit) && words.has(debit)) || words.has("cdtdbtind")
}

/** A column of debits and one of credits. */
export interface Sides {
  readonly debit: { readonly name: string; readonly index: number }
  readonly credit: { readonly name: string; readonly index: number }
}

/** The one column of debits and the one of credits, by their names. */
export const sidesOf = (header: ReadonlyArray<string>): Sides | undefined => {
  const of = (side: "debit" | "credit") =>
    header.flatMap((name, index) => (sideOf(name) === side ? [{ name: name.trim(), index }] : []))
  const [[debit, ...debits], [credit, ...credits]] = [of("debit"), of("credit")]
  return debit === undefined || credit === undefined || debits.length + credits.length > 0
    ? undefined
    : { debit, credit }
}

const named = (name: string): string => {
  const text = name.trim().slice(0, 64)
  return /^[\w-]+$/.test(text) ? text : JSON.stringify(text)
}

/** What to ask about a column of debits and one of credits, as a clause. */
export const sidesQuestion = ({ debit, credit }: Sides): string =>
  `its amounts stand in ${named(debit.name)} and ${named(credit.name)}, and which of them is money in depends on the account: say --map in=${named(credit.name)} --map out=${named(debit.name)}, or --map in=${named(debit.name)} --map out=${named(credit.name)}; a running balance proves it, with --map balance=<column>`

// ---------------------------------------------------------------------------------------------------- columns

/** Sets of markers; the first of each pair is the word for a credit. */
const markerSets: ReadonlyArray<readonly [string, string]> = [
  ["CR", "DR"],
  ["C", "D"],
  ["H", "S"],
  ["CREDIT", "DEBIT"],
  ["CRÉDIT", "DÉBIT"],
  ["HABEN", "SOLL"],
  ["HABER", "DEBE"],
  ["ABONO", "CARGO"],
  ["CRDT", "DBIT"],
  ["+", "-"],
  ["IN", "OUT"],
  ["DEPOSIT", "WITHDRAWAL"],
  ["GUTSCHRIFT", "BELASTUNG"],
  ["GUTSCHRIFT", "LASTSCHRIFT"],
]

/** Columns that show a direction, found by their names and by their cells as rows are added. */
export class Columnar {
  readonly #header: ReadonlyArray<string>
  readonly #named: ReadonlySet<number>
  readonly #sets = new Map<number, ReadonlyArray<readonly [string, string]>>()
  readonly #seen = new Set<number>()

  /** Columns of other parts show no direction. */
  constructor(header: ReadonlyArray<string>, others: ReadonlySet<number>) {
    this.#header = header
    this.#named = new Set(
      header.flatMap((name, index) =>
        !others.has(index) && (sideOf(name) !== undefined || isMarkerName(name)) ? [index] : [],
      ),
    )
    header.forEach((_, index) => {
      if (!others.has(index)) this.#sets.set(index, markerSets)
    })
  }

  /** Whether further rows could add or remove a column. */
  get isOpen(): boolean {
    return this.#sets.size > 0
  }

  /** Takes the cells of a row into account. */
  add(cells: ReadonlyArray<string | undefined>): void {
    for (const [index, sets] of this.#sets) {
      const cell = cells[index]?.trim().toUpperCase() ?? ""
      if (cell === "") continue
      const left = sets.filter(([credit, debit]) => cell === credit || cell === debit)
      if (left.length === 0) this.#sets.delete(index)
      else {
        this.#sets.set(index, left)
        this.#seen.add(index)
      }
    }
  }

  /** The columns that show a direction, in their order. Those of empty cells show none. */
  get found(): ReadonlyArray<{ readonly index: number; readonly markers: readonly [string, string] | undefined }> {
    return this.#header.flatMap((_, index) => {
      const [markers] = this.#seen.has(index) ? (this.#sets.get(index) ?? []) : []
      return markers !== undefined || this.#named.has(index) ? [{ index, markers }] : []
    })
  }

  /** What to ask, as a clause. */
  get question(): string | undefined {
    const sides = sidesOf(this.#header)
    const [first] = this.found
    if (first === undefined) return undefined
    const name = this.#header[first.index]?.trim() ?? ""
    if (sides !== undefined && [sides.debit.index, sides.credit.index].includes(first.index)) {
      return `${sidesQuestion(sides)}. To ignore them: --map sign=none`
    }
    const [credit, debit] = first.markers ?? ["<text>", "<text>"]
    return `its column ${JSON.stringify(name.slice(0, 64))} shows a direction, and which side is money in depends on the account: say --map sign=${named(name)} --marker-in ${credit} --marker-out ${debit}, or the reverse. To ignore it: --map sign=none`
  }
}

/**
 * Whether a marker stands for money in.
 *
 * @example
 * Direction.isIn("cr", { in: ["CR"], out: ["DR"] }) // => true
 * Direction.isIn("x", { in: ["CR"], out: ["DR"] }) // => undefined
 */
export const isIn = (marker: string, { in: ins, out: outs }: Markers): boolean | undefined => {
  const text = marker.trim().toUpperCase()
  if (ins.some((one) => one.trim().toUpperCase() === text)) return true
  return outs.some((one) => one.trim().toUpperCase() === text) ? false : undefined
}

/** Whether a cell of a side holds no amount: it is empty, zero, or a dash. */
export const isNothing = (cell: string | undefined): boolean => cell === undefined || !/[1-9a-zA-Z]/.test(cell)

/** Whether a cell is a dash, which stands for zero. */
export const isDash = (cell: string | undefined): boolean => cell !== undefined && /^\s*[-–—]\s*$/.test(cell)

/** Whether a cell holds a negative amount. The dashes of `5.--` are no sign. */
export const isNegative = (cell: string | undefined): boolean =>
  cell !== undefined && /[1-9]/.test(cell) && /[-(\u2212]/.test(cell.trim().replace(/[.,]--?$/, ""))

/** How a cell shows the direction of its amount: by a marker behind it, by a sign, or not at all. Zero needs none. */
export const shownBy = (cell: string): "marker" | "sign" | "none" | undefined => {
  if (!/[1-9]/.test(cell)) return undefined
  if (/[^A-Za-z](?:[CD]R|[CcDd]r|H|S)\s*$/.test(cell)) return "marker"
  return isNegative(cell) || cell.includes("+") ? "sign" : "none"
}

/** What to ask about a negative amount whose direction is shown beside it, too; as a clause. */
export const saidTwice = (amount: string | undefined, where: string): string =>
  `${JSON.stringify(amount?.trim().slice(0, 64) ?? "")} is negative ${where}, which says its direction twice. If the cells have their own signs, say so with --map sign=none`
