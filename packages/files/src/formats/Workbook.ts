/**
 * Sheets as an Excel workbook (ECMA-376), row by row: the same rows give the same bytes, in bounded memory. The rows are
 * read twice. Written on Effect's Zip: write-excel-file takes 440 MB for 20,000 transfers, and stamps the time into its
 * files.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Zip from "effect/encoding/Zip"
import * as Stream from "effect/Stream"
import { FileError } from "../FileError.ts"
import * as DecimalWidth from "./DecimalWidth.ts"
import * as NumberColumns from "./NumberColumns.ts"
import type { TransferColumn } from "./TransferColumns.ts"

/**
 * A column, and what its cells become. Numbers are shown with that many fraction digits, or with those of their text; dates
 * are times in UTC.
 */
export type SheetColumn =
  | { readonly name: string; readonly kind: "text" | "date" }
  | { readonly name: string; readonly kind: "number"; readonly fraction: number | "own" }
  | {
      readonly name: string
      readonly kind: "money"
      /** The index of the column with the currency. */
      readonly currency: number
      /** The fraction digits of each currency whose amounts are numbers. Those of another are texts. */
      readonly fractions: ReadonlyMap<string, number>
    }

/** A sheet. Its rows are read twice. */
export interface Sheet<E = never, R = never> {
  readonly name: string
  readonly columns: ReadonlyArray<SheetColumn>
  readonly rows: Stream.Stream<ReadonlyArray<ReadonlyArray<string | undefined>>, E, R>
}

/** Excel calculates with doubles, which hold every decimal of up to 15 digits, and shows no more. */
const exactDigits = 15

/** The columns of transfers whose amounts have these widths. Amounts are numbers only if all of a column are exact. */
export const columnsOf = (
  columns: ReadonlyArray<TransferColumn>,
  widths: DecimalWidth.DecimalWidths,
): ReadonlyArray<SheetColumn> =>
  columns.map(({ name, kind }) => {
    if (kind === "timestamp") return { name, kind: "date" }
    if (kind !== "amount") return { name, kind: "text" }
    const column = numberOrText(name, widths.get(name))
    // It has amounts of several currencies, each with digits of its own.
    return column.kind === "number" ? { ...column, fraction: "own" } : column
  })

/**
 * The columns of any rows. A column of amounts, or one of `numbers`, is one of numbers if all of its cells are decimals. If
 * a column has their currency, the amounts of a currency are numbers together or texts together, so that no sum of a
 * currency lacks some of them. All other columns are texts, so that a key `1.10` or `007` stays as it is.
 */
export const columnsOfRows = (
  header: ReadonlyArray<string | undefined>,
  rows: ReadonlyArray<ReadonlyArray<string | undefined>>,
  numbers?: ReadonlySet<string>,
): ReadonlyArray<SheetColumn> =>
  header.map((name = "", index) => {
    if (!NumberColumns.includes(name, numbers)) return { name, kind: "text" }
    const cells = rows.flatMap((row) => row[index] || [])
    if (cells.length === 0 || !cells.every(Amount.isAmount)) return { name, kind: "text" }
    const currency = currencyOf(header, name)
    if (currency === -1) {
      return numberOrText(name, cells.reduce<DecimalWidth.DecimalWidth | undefined>(DecimalWidth.widest, undefined))
    }
    const widths = new Map<string, DecimalWidth.DecimalWidth>()
    for (const row of rows) {
      const [amount = "", code = ""] = [row[index], row[currency]]
      if (amount !== "") widths.set(code, DecimalWidth.widest(widths.get(code), amount))
    }
    const exact = [...widths].filter(([, { whole, fraction }]) => whole + fraction <= exactDigits)
    return { name, kind: "money", currency, fractions: new Map(exact.map(([code, { fraction }]) => [code, fraction])) }
  })

/** The index of the column that has the currency of an amount: `X_currency_code` of `X_amount`, or the first one. */
const currencyOf = (header: ReadonlyArray<string | undefined>, name: string): number => {
  if (!/(?:^|_)(?:amount|difference)$/.test(name)) return -1
  const own = header.indexOf(`${name.replace(/(?:amount|difference)$/, "")}currency_code`)
  return own === -1 ? header.findIndex((other = "") => other.endsWith("currency_code")) : own
}

const numberOrText = (name: string, width: DecimalWidth.DecimalWidth | undefined): SheetColumn =>
  (width?.whole ?? 1) + (width?.fraction ?? 0) <= exactDigits
    ? { name, kind: "number", fraction: width?.fraction ?? 0 }
    : { name, kind: "text" }

/** The bytes of a workbook. Fails if Excel could not hold all of it. `path` is for the error. */
export const bytes = <E, R>(
  sheets: ReadonlyArray<Sheet<E, R>>,
  path: string,
): Stream.Stream<Uint8Array, E | FileError, R> =>
  Stream.unwrap(
    Effect.map(
      Effect.forEach(sheets, (sheet) => sized(xmlOf(sheet, path))),
      (known) => zipped(sheets, known),
    ),
  ).pipe(
    Stream.mapError((error): E | FileError =>
      Zip.isZipError(error) ? new FileError({ path, reason: error.message }) : error,
    ),
  )

const xmlOf = <E, R>({ columns, rows }: Sheet<E, R>, path: string): Stream.Stream<string, E | FileError, R> =>
  Stream.suspend(() => {
    let row = 1
    const text = Stream.mapEffect(rows, (batch) =>
      Effect.try({
        try: () => batch.map((cells) => rowXml(columns, cells, ++row)).join(""),
        catch: (error) => new FileError({ path, reason: error instanceof Error ? error.message : String(error) }),
      }),
    )
    return Stream.concat(Stream.concat(Stream.make(sheetStart(columns)), text), Stream.make(sheetEnd))
  })
/** Without its size, a sheet would be announced as possibly larger than 4 GiB, in a form that readers of Excel files reject. */
const sized = <E, R>(xml: Stream.Stream<string, E, R>) =>
  Effect.map(
    Stream.runFold(
      xml,
      () => 0,
      (sum, text) => sum + Buffer.byteLength(text),
    ),
    (size) => ({ xml, size }),
  )

const zipped = <E, R>(
  sheets: ReadonlyArray<{ readonly name: string }>,
  known: ReadonlyArray<{ readonly xml: Stream.Stream<string, E, R>; readonly size: number }>,
) => {
  const entries = [
    ...partsOf(sheets.map(({ name }) => name)).map(([name, xml]) => Zip.file(name, declaration + xml)),
    ...known.map(({ xml, size }, index) => Zip.fileStream(`xl/${partOf(index)}`, Stream.encodeText(xml), { size })),
  ]
  return Stream.fromIterable(entries).pipe(
    Stream.pipeThroughChannel(Zip.encode<never, unknown, (typeof entries)[number]>()),
  )
}

// ---------------------------------------------------------------------------------------------------- rows

const maxRows = 1_048_576
const maxCharacters = 32_767

const rowXml = (columns: ReadonlyArray<SheetColumn>, cells: ReadonlyArray<string | undefined>, row: number): string => {
  if (row > maxRows) throw new Error(`a sheet has at most ${maxRows} rows: choose a shorter time, or write CSV`)
  const xml = columns.map((column, index) => {
    const cell = cells[index]
    if (cell === undefined || cell === "") return ""
    const fraction =
      column.kind === "money"
        ? column.fractions.get(cells[column.currency] ?? "")
        : column.kind === "number"
          ? column.fraction === "own"
            ? (cell.split(".")[1] ?? "").length
            : column.fraction
          : undefined
    return cellXml(column, cell, { place: `${letters(index)}${row}`, fraction })
  })
  return `<row r="${row}">${xml.join("")}</row>`
}

const cellXml = (
  column: SheetColumn,
  text: string,
  { place, fraction }: { readonly place: string; readonly fraction: number | undefined },
): string => {
  if (fraction !== undefined) return `<c r="${place}" s="${firstNumberStyle + fraction}"><v>${text}</v></c>`
  const serial = column.kind === "date" ? serialOf(text) : undefined
  if (serial !== undefined) return `<c r="${place}" s="${dateStyle}"><v>${serial}</v></c>`
  if (text.length > maxCharacters) {
    throw new Error(`the cell ${place} has ${text.length} characters, and Excel keeps ${maxCharacters}: write CSV`)
  }
  return textXml(text, place, textStyle)
}

const textXml = (text: string, place: string, style: number): string =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`

const millisecondsPerDay = 86_400_000n
/** Fraction digits of a day: a microsecond is one of the last. */
const serialDigits = 11n
/** 1970-01-01, counted from the day that Excel calls 0. */
const epoch = 25_569n
/** Before March 1900, Excel counts a day that there was not. */
const firstSerial = 61n

/** Days, to the millisecond: the most that Excel shows. Rounded up, because readers round down. */
const serialOf = (text: string): string | undefined => {
  const milliseconds = BigInt(Timestamp.toDate(Timestamp.parseUnsafe(text)).getTime())
  const parts = (milliseconds + epoch * millisecondsPerDay) * 10n ** serialDigits
  const serial = parts / millisecondsPerDay + (parts % millisecondsPerDay > 0n ? 1n : 0n)
  return serial < firstSerial * 10n ** serialDigits ? undefined : Amount.fromUnits(serial, Number(serialDigits))
}

const letters = (index: number): string =>
  (index >= 26 ? letters(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + (index % 26))

/** What XML cannot hold is written as Excel does, `_x0001_`, and so is what looks like it. */
const escape = (text: string): string =>
  text
    .replaceAll(/_(?=x[\da-fA-F]{4}_)/g, "_x005F_")
    .replaceAll(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
      return `_x${code}_`
    })
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")

// ---------------------------------------------------------------------------------------------------- the parts

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`
const namespace = "http://schemas.openxmlformats.org"
const main = `${namespace}/spreadsheetml/2006/main`
const relations = `${namespace}/officeDocument/2006/relationships`
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`

const relationList = (list: string): string =>
  `<Relationships xmlns="${namespace}/package/2006/relationships">${list}</Relationships>`

const partOf = (index: number): string => `worksheets/sheet${index + 1}.xml`

const partsOf = (names: ReadonlyArray<string>): ReadonlyArray<readonly [name: string, xml: string]> => [
  [
    "[Content_Types].xml",
    `<Types xmlns="${namespace}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${names.map((_, index) => `<Override PartName="/xl/${partOf(index)}" ContentType="${type}.worksheet+xml"/>`).join("")}<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
  ],
  ["_rels/.rels", relationList(relation("rId1", "officeDocument", "xl/workbook.xml"))],
  [
    "xl/workbook.xml",
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.map((name, index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join("")}</sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    relationList(
      names.map((_, index) => relation(`rId${index + 1}`, "worksheet", partOf(index))).join("") +
        relation(`rId${names.length + 1}`, "styles", "styles.xml"),
    ),
  ],
  ["xl/styles.xml", styles],
]

const [headerStyle, textStyle, dateStyle, firstNumberStyle] = [1, 2, 3, 4]
const firstFormat = 164

/** A style for each number of fraction digits, after those of headers, texts and times. */
const numberFormats = Array.from({ length: exactDigits }, (_, digits) =>
  digits === 0 ? "0" : `0.${"0".repeat(digits)}`,
)

const formats = ["yyyy\\-mm\\-dd\\ hh:mm:ss.000", ...numberFormats]

const styles = `<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats
  .map((code, index) => `<numFmt numFmtId="${firstFormat + index}" formatCode="${code}"/>`)
  .join(
    "",
  )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${3 + formats.length}">${[
  `numFmtId="0" fontId="0"`,
  `numFmtId="49" fontId="1" applyFont="1"`,
  `numFmtId="49" fontId="0"`,
  ...formats.map((_, index) => `numFmtId="${firstFormat + index}" fontId="0"`),
]
  .map((attributes) => `<xf ${attributes} fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
  .join("")}</cellXfs></styleSheet>`

const sheetStart = (columns: ReadonlyArray<SheetColumn>): string => {
  const widths = columns.map((_, index) => `<col min="${index + 1}" max="${index + 1}" width="24" customWidth="1"/>`)
  const header = columns.map(({ name }, index) => textXml(name, `${letters(index)}1`, headerStyle))
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData><row r="1">${header.join("")}</row>`
}

const sheetEnd = "</sheetData></worksheet>"
