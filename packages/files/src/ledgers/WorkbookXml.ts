/** The parts of an Excel workbook (ECMA-376), from XML: its sheets, styles, strings and rows. */
import * as Xml from "../formats/Xml.ts"
import type { TableRow } from "./Ledger.ts"
import * as SheetNumber from "./SheetNumber.ts"

type Chunks = AsyncIterable<string>

/** A sheet, and the id of its part. */
export interface Sheet {
  readonly name: string
  readonly relation: string
  readonly isHidden: boolean
}

/** What cells refer to. */
export interface Context {
  readonly strings: ReadonlyArray<string>
  /** The styles that show a number as a date, by index. */
  readonly dateStyles: ReadonlySet<number>
  readonly from1904: boolean
  /** The most characters of strings that all cells together may refer to. */
  readonly maxReferred: number
  /** Whether the sheet does not show. */
  readonly isHidden?: boolean
}

/** The most rows and columns of a sheet. */
const maxRows = 1_048_576
const maxColumns = 16_384
const maxStrings = 5_000_000
const maxRowLength = 1024 * 1024

const again = "Open the workbook in Excel, and save it"

const nothing = (): void => {}

const readAll = async (chunks: Chunks, open: Xml.Handlers["open"], rest: Partial<Xml.Handlers> = {}): Promise<void> => {
  const events = Xml.read(chunks, { open, text: nothing, close: nothing, ...rest })
  while (!(await events.next()).done);
}

const isTrue = (flag: string | undefined): boolean => flag === "1" || flag === "true"

/** The sheets, and whether dates count from 1904. */
export const sheetsOf = async (chunks: Chunks) => {
  const sheets: Array<Sheet> = []
  let from1904 = false
  await readAll(chunks, (name, { name: title = "", id = "", state = "visible", date1904 }) => {
    if (name === "sheet") sheets.push({ name: title, relation: id, isHidden: state !== "visible" })
    if (name === "workbookPr") from1904 = isTrue(date1904)
  })
  return { sheets, from1904 }
}

/** A reference to another part: its type is the last part of its URI. */
export interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** The references of a part. */
export const relationsOf = async (chunks: Chunks): Promise<ReadonlyArray<Relation>> => {
  const relations: Array<Relation> = []
  await readAll(chunks, (name, { Id: id = "", Type: type = "", Target: target = "" }) => {
    if (name === "Relationship") relations.push({ id, type: type.slice(type.lastIndexOf("/") + 1), target })
  })
  return relations
}

/** The styles that show a number as a date. */
export const dateStylesOf = async (chunks: Chunks): Promise<ReadonlySet<number>> => {
  const dateFormats = new Map<number, boolean>()
  const dateStyles = new Set<number>()
  let isCell = false
  let index = 0
  await readAll(
    chunks,
    (name, { numFmtId, formatCode = "" }) => {
      const id = Number(numFmtId)
      if (name === "numFmt") dateFormats.set(id, SheetNumber.isDateFormat(formatCode))
      if (name === "cellXfs") isCell = true
      if (name !== "xf" || !isCell) return
      if (dateFormats.get(id) ?? SheetNumber.isBuiltInDateFormat(id)) dateStyles.add(index)
      index++
    },
    {
      close: (name) => {
        if (name === "cellXfs") isCell = false
      },
    },
  )
  return dateStyles
}

/** Texts as XML keeps characters that it cannot hold: `_x000D_`. */
const unescape = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** The strings that cells refer to by index. */
export const stringsOf = async (chunks: Chunks): Promise<ReadonlyArray<string>> => {
  const strings: Array<string> = []
  const text = new RichText()
  await readAll(
    chunks,
    (name) => {
      if (name === "si" && strings.length === maxStrings) throw new Error(`it has more than ${maxStrings} strings`)
      text.open(name)
    },
    {
      text: (part) => text.add(part),
      close: (name) => {
        text.close(name)
        if (name === "si") strings.push(unescape(text.take()))
      },
    },
  )
  return strings
}

/** The text of an element that has it in runs, without its reading aid (`rPh`). */
class RichText {
  #text = ""
  #isText = false
  #isAid = false

  open(name: string): void {
    if (name === "rPh") this.#isAid = true
    else if (name === "t") this.#isText = !this.#isAid
  }

  add(part: string): void {
    if (this.#isText) this.#text += part
  }

  close(name: string): void {
    if (name === "rPh") this.#isAid = false
    else if (name === "t") this.#isText = false
  }

  take(): string {
    const text = this.#text
    this.#text = ""
    return text
  }
}

/** The rows of a sheet that are not empty, each cell as text. Throws an `Error` that names the row. */
export async function* rowsOf(chunks: Chunks, context: Context): AsyncGenerator<ReadonlyArray<TableRow>> {
  const rows: Array<TableRow> = []
  const reader = new RowReader(context, rows)
  for await (const _ of Xml.read(chunks, reader)) yield rows.splice(0)
}

/** Where rows, cells and values are. Those in the alternatives of an extension would be counted once for each. */
const parents: ReadonlyMap<string, string> = new Map([
  ["row", "sheetData"],
  ["c", "row"],
  ["v", "c"],
])
const cellTypes: ReadonlySet<string> = new Set(["b", "d", "e", "inlineStr", "n", "s", "str"])

class RowReader implements Xml.Handlers {
  readonly #context: Context
  readonly #rows: Array<TableRow>
  readonly #inline = new RichText()
  /** From the data of the sheet on. */
  readonly #path: Array<string> = []
  #row = 0
  #isHidden = false
  #column = 0
  #length = 0
  #referred = 0
  #cells: Array<string | undefined> = []
  #numbers = new Map<number, "exact" | "rounded">()
  #type = ""
  #style = 0
  #value: string | undefined
  #formula: string | undefined
  #part = ""

  constructor(context: Context, rows: Array<TableRow>) {
    this.#context = context
    this.#rows = rows
  }

  readonly open: Xml.Handlers["open"] = (name, { r, t = "n", s = "0", hidden, ht }) => {
    const parent = this.#path.at(-1)
    // The places of controls have rows and columns, too.
    if (parent === undefined && name !== "sheetData") return
    this.#path.push(name)
    const expected = parents.get(name)
    if (expected !== undefined && expected !== parent) {
      throw new Error(
        `row ${this.#row}: its element ${name} is in ${parent ?? "none"}, and not in ${expected}. ${again}`,
      )
    }
    if (name === "row") {
      const above = this.#row
      this.#row = r === undefined ? above + 1 : Number(r)
      this.#column = -1
      this.#length = 0
      this.#isHidden = this.#context.isHidden === true || isTrue(hidden) || (ht !== undefined && Number(ht) === 0)
      if (!(Number.isInteger(this.#row) && this.#row >= 1 && this.#row <= maxRows))
        throw new Error(`row ${this.#row} is beyond the last row of a sheet`)
      if (this.#row <= above) {
        throw new Error(
          `row ${this.#row} comes after row ${above}: one is there twice, or they are in another order. ${again}`,
        )
      }
    } else if (name === "c") {
      const before = this.#column
      this.#column = r === undefined ? before + 1 : columnOf(r)
      if (this.#column <= before) {
        throw new Error(`row ${this.#row} has two cells in a column, or cells in another order. ${again}`)
      }
      if (this.#column >= maxColumns) throw new Error(`row ${this.#row} has too many columns`)
      if (r !== undefined && Number(r.replace(/^[A-Z]+/, "")) !== this.#row)
        throw new Error(`row ${this.#row} has a cell of another row, ${r.slice(0, 64)}`)
      if (!cellTypes.has(t)) {
        throw new Error(`row ${this.#row}: a cell has the type ${JSON.stringify(t.slice(0, 64))}. ${again}`)
      }
      this.#type = t
      this.#style = Number(s)
      this.#value = undefined
      this.#formula = undefined
    }
    this.#part = name
    if (name === "v") {
      if (this.#value !== undefined) throw new Error(`row ${this.#row}: a cell has two values. ${again}`)
      this.#value = ""
    }
    if (name === "f") this.#formula = ""
    this.#inline.open(name)
  }

  readonly text: Xml.Handlers["text"] = (text) => {
    if (this.#path.length === 0) return
    if (this.#part === "v") this.#value += text
    else if (this.#part === "f") this.#formula += text
    else this.#inline.add(text)
    this.#length += text.length
    if (this.#length > maxRowLength) throw new Error(`row ${this.#row} is too long: a row has at most 1 MiB`)
  }

  readonly close: Xml.Handlers["close"] = (name) => {
    if (this.#path.pop() === undefined) return
    this.#inline.close(name)
    this.#part = ""
    if (name === "c") this.#endCell()
    if (name === "row") this.#endRow()
  }

  #endCell(): void {
    const inline = this.#inline.take()
    const text = this.#type === "inlineStr" ? unescape(inline) : this.#textOf(this.#value)
    if (text !== undefined && text !== "") this.#cells[this.#column] = text
  }

  #textOf(value: string | undefined): string | undefined {
    const place = `row ${this.#row}`
    if ((value === undefined || value === "") && this.#formula !== undefined && this.#type !== "str") {
      throw new Error(`${place}: a formula has no result. ${again}`)
    }
    if (value === undefined || value === "") return undefined
    switch (this.#type) {
      case "s": {
        const text = this.#context.strings[Number(value)]
        if (text === undefined) throw new Error(`${place}: a cell refers to a text that the workbook does not have`)
        // Long texts count each time that a cell refers to them.
        this.#length += text.length
        this.#referred += text.length
        if (this.#referred > this.#context.maxReferred) {
          throw new Error(
            `${place}: the cells up to it refer to more than ${this.#context.maxReferred} characters, which is far more than a workbook of its size holds. Save the sheet as 'CSV UTF-8'`,
          )
        }
        return text
      }
      case "n": {
        if (this.#context.dateStyles.has(this.#style)) {
          const date = SheetNumber.dateOf(value, this.#context.from1904)
          if (date !== undefined) return date
        }
        const number = SheetNumber.read(value)
        if (number === undefined)
          throw new Error(`${place}: a cell holds ${JSON.stringify(value.slice(0, 64))}, which is no number`)
        this.#numbers.set(this.#column, number.isRounded ? "rounded" : "exact")
        return number.text
      }
      case "b":
        return value === "1" ? "TRUE" : "FALSE"
      default:
        return unescape(value)
    }
  }

  #endRow(): void {
    if (this.#cells.length > 0) {
      this.#rows.push({
        place: `row ${this.#row}`,
        cells: this.#cells,
        numbers: this.#numbers,
        isHidden: this.#isHidden,
      })
      this.#numbers = new Map()
      this.#cells = []
    }
  }
}

/** The index of the column of a reference such as `AB12`. */
const columnOf = (reference: string): number => {
  const letters = /^[A-Z]{1,3}/.exec(reference)
  if (letters === null) return maxColumns
  let column = 0
  for (const letter of letters[0]) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
