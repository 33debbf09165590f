/** The pages of statements and messages: all of them are in the file, in order. */

/** What a page says of itself. */
export interface Page {
  /** Counts from 1. */
  readonly number: number
  readonly isLast: boolean
}

/** What to do about a page that is missing. */
export const advice = "Is the statement complete? Export it as one file with all its pages"

/** Remembers what goes on on another page. */
export class Pages {
  readonly #open = new Map<string, Page & { readonly place: string }>()

  /** Whether a page before this one was read, and is not the last. */
  has(key: string): boolean {
    return this.#open.has(key)
  }

  /** Takes the next page. Throws an `Error` if it is another than that. */
  turn(key: string, page: Page, place: string): void {
    const expected = (this.#open.get(key)?.number ?? 0) + 1
    if (page.number !== expected) {
      throw new Error(`${place}: it is page ${page.number}, and the file does not have page ${expected}. ${advice}`)
    }
    if (page.isLast) this.#open.delete(key)
    else this.#open.set(key, { ...page, place })
  }

  /** Throws an `Error` if something goes on. */
  end(): void {
    for (const { number, place } of this.#open.values()) {
      throw new Error(
        `${place}: page ${number} is not its last, and the file does not have page ${number + 1}. ${advice}`,
      )
    }
  }
}
