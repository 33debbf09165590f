/**
 * A table whose rows arrive in batches, printed while the next one is read. A batch decides the widths of the columns; if a
 * later one has a cell that does not fit, the table begins anew. On a terminal it ends early, and says so.
 */
import * as TextReport from "./TextReport.ts"
import * as TextTable from "./TextTable.ts"

/** The table so far. Mutable. */
export class StreamedTable {
  readonly #columns: ReadonlyArray<TextTable.Column>
  readonly #options: Omit<TextReport.Options, "title">
  readonly #hidden = new Set<string>()
  #layout: TextTable.Layout | undefined
  #rows = 0
  #isCut = false

  constructor(columns: ReadonlyArray<TextTable.Column>, options: Omit<TextReport.Options, "title">) {
    this.#columns = columns
    this.#options = options
  }

  /** Whether no row was added. */
  get isEmpty(): boolean {
    return this.#layout === undefined
  }

  /** Whether rows were left out: then there is no need to read on. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** The text of some rows. */
  add(rows: ReadonlyArray<ReadonlyArray<string>>): string {
    const { width, heading } = this.#options
    const room = TextReport.roomOf(width)
    const before = this.#layout
    // A row that fitted no table does not make lists of all that follow.
    const isKept = before !== undefined && before.form !== "stacked" && TextTable.fits(before, rows)
    const layout = isKept ? before : TextTable.layout(this.#columns, rows, width)
    this.#layout = layout
    for (const name of layout.hidden) this.#hidden.add(name)
    const isNew = layout !== before && this.#rows < room && !(layout.form === "stacked" && before?.form === "stacked")
    const texts = isNew ? [before === undefined ? "" : "\n", TextTable.header(layout, heading)] : []
    for (const [index, cells] of rows.entries()) {
      if (this.#rows >= room) {
        this.#isCut = true
        texts.push(TextReport.rest(this.#rows, undefined, this.#options))
        break
      }
      texts.push(TextTable.row(layout, cells, { heading, isFirst: isNew && index === 0 }))
      this.#rows++
    }
    return texts.join("")
  }

  /** What to say of dropped columns. */
  get remark(): string {
    return TextTable.remark(this.#hidden)
  }
}
