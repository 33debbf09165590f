/** Sheets of Excel workbooks (`.xlsx`) as tables. */
import { posix } from "node:path"
import type * as Ledger from "../ledgers/Ledger.ts"
import * as WorkbookXml from "../ledgers/WorkbookXml.ts"
import type { SteadyFile } from "./SteadyFile.ts"
import { ZipFile } from "./ZipFile.ts"

const partBytes = 16 * 1024 * 1024
const stringBytes = 128 * 1024 * 1024
const sheetBytes = 1024 * 1024 * 1024
/** Sheets take a fifth to a twentieth of their size in a file. What takes much less is cells without content. */
const unpacked = { times: 50, least: 8 * 1024 * 1024 }
/** The texts of all rows, where a text may be in many: sheets with references to all of them stay far below it. */
const referred = { times: 200, least: 64 * 1024 * 1024 }

/** Finds the sheet. Throws an `Error` whose message says as a clause why it cannot be read. */
export const detect = async (
  file: SteadyFile,
  options: { readonly sheet: string | undefined },
): Promise<Ledger.Table> => {
  const zip = await ZipFile.of(await file.open(), unpacked)
  try {
    const book = await bookOf(zip)
    const { sheets, from1904 } = await WorkbookXml.sheetsOf(zip.text(book, partBytes))
    const relations = await relationsOf(zip, book)
    const partOf = (type: string): string | undefined => relations.find((relation) => relation.type === type)?.target
    const worksheets = sheets.flatMap((sheet) => {
      const relation = relations.find(({ id, type }) => id === sheet.relation && type === "worksheet")
      return relation === undefined ? [] : [{ ...sheet, part: relation.target }]
    })
    const sheet = choose(worksheets, options.sheet)
    const [styles, strings] = [partOf("styles"), partOf("sharedStrings")]
    const context: WorkbookXml.Context = {
      strings: strings === undefined ? [] : await WorkbookXml.stringsOf(zip.text(strings, stringBytes)),
      dateStyles: styles === undefined ? new Set() : await WorkbookXml.dateStylesOf(zip.text(styles, partBytes)),
      from1904,
      maxReferred: referred.least + referred.times * zip.size,
      isHidden: sheet.isHidden,
    }
    return {
      facts: { format: "xlsx", sheet: sheet.name },
      detected: options.sheet === undefined ? ["sheet"] : [],
      rows: () => rowsOf(file, sheet.part, context),
    }
  } finally {
    await zip.close()
  }
}

async function* rowsOf(
  file: SteadyFile,
  part: string,
  context: WorkbookXml.Context,
): AsyncGenerator<ReadonlyArray<Ledger.TableRow>> {
  const zip = await ZipFile.of(await file.open(), unpacked)
  try {
    yield* WorkbookXml.rowsOf(zip.text(part, sheetBytes), context)
    await file.check()
  } finally {
    await zip.close()
  }
}

const bookOf = async (zip: ZipFile): Promise<string> => {
  const root = zip.has("_rels/.rels") ? await relationsOf(zip, "") : []
  const book = root.find(({ type }) => type === "officeDocument")?.target
  if (book?.endsWith(".bin"))
    throw new Error("it is a binary Excel workbook. Save it as .xlsx, or the sheet as 'CSV UTF-8'")
  if (book !== undefined && zip.has(book)) return book
  throw new Error(
    zip.has("content.xml")
      ? "it is an OpenDocument spreadsheet. Save it as .xlsx or CSV"
      : "it is a zip file without a workbook. Unpack it first",
  )
}

/** The references of a part, with the names of the parts that they lead to. */
const relationsOf = async (zip: ZipFile, part: string): Promise<ReadonlyArray<WorkbookXml.Relation>> => {
  const folder = posix.dirname(part)
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`)
  const relations = await WorkbookXml.relationsOf(zip.text(name, partBytes))
  return relations.map((relation) => ({ ...relation, target: posix.resolve("/", folder, relation.target).slice(1) }))
}

type Worksheet = WorkbookXml.Sheet & { readonly part: string }

const choose = (sheets: ReadonlyArray<Worksheet>, name: string | undefined): Worksheet => {
  const names = sheets.map((sheet) => JSON.stringify(sheet.name)).join(", ")
  if (name !== undefined) {
    const [named, other] = sheets.filter((sheet) => sheet.name.trim().toLowerCase() === name.trim().toLowerCase())
    if (named === undefined) throw new Error(`it has no sheet ${JSON.stringify(name)}; its sheets are ${names}`)
    if (other !== undefined) throw new Error(`it has two sheets ${JSON.stringify(name)}. Rename one of them`)
    return named
  }
  const [visible, ...others] = sheets.filter((sheet) => !sheet.isHidden)
  if (visible === undefined) throw new Error("it has no sheet that shows. Name one with --sheet")
  if (others.length > 0) throw new Error(`it has several sheets: ${names}. Say which with --sheet`)
  return visible
}
