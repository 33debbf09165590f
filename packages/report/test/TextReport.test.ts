import * as Iterable from "effect/Iterable"
import { expect, test } from "vitest"
import { StreamedTable } from "../src/StreamedTable.ts"
import * as TextReport from "../src/TextReport.ts"

const plain = (text: string): string => text
const columns = [{ header: "ID", id: true }, { header: "STATUS" }]
const row = (index: number): ReadonlyArray<string> => [`tr_${index}`, "complete"]
const options = { title: plain, heading: plain, whole: "All of them: elsewhere." }
const textOf = (width: number, rows: number): string =>
  [
    ...TextReport.make(
      [
        { title: "Rows", columns, rows: Iterable.makeBy(row, { length: rows }) },
        { title: "Nothing", columns, rows: [] },
        { title: "Totals", text: "an end" },
      ],
      { ...options, width },
    ).texts,
  ].join("")

test("shows a table that is not long, what follows it, and no heading without rows", () => {
  expect(textOf(80, 2)).toBe("Rows\nID    STATUS\ntr_0  complete\ntr_1  complete\n\nTotals\nan end\n")
})

test.each([
  [100, 100, false],
  [101, 100, true],
  [5000, 100, true],
])("of %d rows shows %d on a terminal, then says where all are: %s", (rows, shown, isCut) => {
  const lines = textOf(80, rows).split("\n")
  expect(lines.filter((line) => line.startsWith("tr_"))).toHaveLength(shown)
  const words = `The first 100 of ${rows.toLocaleString("en")} rows. All of them: elsewhere.`
  expect(lines.includes(words)).toBe(isCut)
  expect(lines.slice(-3)).toEqual(["Totals", "an end", ""])
})

test("shows a third of the rows on a terminal so narrow that each cell has a line", () => {
  const wide = "0".repeat(20)
  const rows = Iterable.makeBy((index) => [`tr_${index}`, `${wide}${index}`], { length: 60 })
  const sections = [
    {
      columns: [
        { header: "ID", id: true },
        { header: "NOTE", id: true },
      ],
      rows,
    },
  ]
  const text = [...TextReport.make(sections, { ...options, width: 24 }).texts].join("")
  expect(text.match(/^ID {4}tr_/gm)).toHaveLength(34)
  expect(text).toMatch(/^The first 34 of 60 rows\.$/m)
})

/** How many rows of each part are shown, and what is said of the rest. */
const shownOf = (width: number, sizes: ReadonlyArray<number>) => {
  const parts = sizes.map((size, part): TextReport.Section => ({
    title: `Part ${part}`,
    columns,
    rows: Iterable.makeBy((index) => [`tr_${part}_${index}`, "complete"], { length: size }),
    size,
    isPart: true,
  }))
  const { texts } = TextReport.make([...parts, { title: "Totals", columns, rows: [["all", "each"]] }], {
    ...options,
    width,
  })
  const text = [...texts].join("")
  return {
    rows: sizes.map((_, part) => text.match(new RegExp(`^tr_${part}_`, "gm"))?.length ?? 0),
    rests: text.match(/^The first .*$/gm) ?? [],
    end: text.slice(-11),
  }
}

test("the parts of a table have the room of one on a terminal, and the last that is cut says where all rows are", () => {
  expect(shownOf(140, [4, 90, 7, 170, 2])).toEqual({
    rows: [4, 43, 7, 43, 2],
    rests: ["The first 43 of 90 rows.", "The first 43 of 170 rows. All of them: elsewhere."],
    end: "all  each\n".padStart(11, "\n"),
  })
  expect(shownOf(140, [60, 40])).toMatchObject({ rows: [60, 40], rests: [] })
  expect(
    shownOf(
      140,
      Array.from({ length: 150 }, () => 3),
    ).rows,
  ).toEqual(Array.from({ length: 150 }, () => 1))
  expect(shownOf(Number.POSITIVE_INFINITY, [90, 170])).toMatchObject({ rows: [90, 170], rests: [] })
})

test("shows all rows in a file or a pipe, and reads them without holding them", () => {
  const text = textOf(Number.POSITIVE_INFINITY, 5000)
  expect(text.match(/^tr_/gm)).toHaveLength(5000)
  expect(text).not.toContain("The first")
})

test("ends a table that is read in batches, and says that it is cut", () => {
  const table = new StreamedTable(columns, { ...options, width: 80 })
  const batches = Array.from({ length: 9 }, (_, batch) =>
    Array.from({ length: 20 }, (_none, at) => row(batch * 20 + at)),
  )
  let text = ""
  for (const batch of batches) if (!table.isCut) text += table.add(batch)
  expect(text.match(/^tr_/gm)).toHaveLength(100)
  expect(text.match(/^ID/gm)?.length).toBeGreaterThan(0)
  expect(text).toMatch(/The first 100 rows\. All of them: elsewhere\.\n$/)
  expect(table.isCut).toBe(true)
  const short = new StreamedTable(columns, { ...options, width: 80 })
  for (const batch of batches.slice(0, 5)) short.add(batch)
  expect(short.isCut).toBe(false)
})

test("a table that does not fit is shown in its narrow form, without hiding a column", () => {
  const [wide, narrow] = ["w".repeat(50), "n".repeat(20)]
  const section: TextReport.Section = {
    title: "Items",
    columns: [
      { header: "OUTCOME", id: true },
      { header: "A", id: true },
      { header: "B", dropOrder: 1 },
    ],
    rows: [["Open", narrow, wide]],
    narrow: [{ title: "Open", columns: [{ header: "A", id: true }], rows: [[narrow]] }],
  }
  const shown = (width: number) => {
    const asItIs = (text: string) => text
    const { texts, remark } = TextReport.make([section, { title: "Next", text: "x" }], {
      width,
      title: asItIs,
      heading: asItIs,
      whole: "",
    })
    return [...texts].join("") + remark()
  }
  expect(shown(60)).toBe(`Items\nOpen\nA\n${narrow}\n\nNext\nx\n`)
  expect(shown(100)).toContain(`Open     ${narrow}  ${wide}\n`)
})
