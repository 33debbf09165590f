/** Workbooks as a test wants them, damaged ones too. */
import { type Part, zip } from "../../../scripts/test/Zip.ts"

const relations = (...rows: ReadonlyArray<readonly [type: string, target: string]>): string =>
  `<Relationships>${rows.map(([type, target], index) => `<Relationship Id="r${index}" Type="x/${type}" Target="${target}"/>`).join("")}</Relationships>`

/** The parts of a workbook with one sheet of these rows, as XML. */
export const workbookParts = (rows: string, strings = "<sst/>"): ReadonlyArray<Part> =>
  Object.entries({
    "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook><sheets><sheet name="One" r:id="r0"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(["worksheet", "sheet.xml"], ["sharedStrings", "strings.xml"]),
    "xl/strings.xml": strings,
    "xl/sheet.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  }).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))

/** A workbook with one sheet of these rows, as XML. */
export const workbook = (rows: string, strings?: string): Buffer => zip(workbookParts(rows, strings))
