/** Every run of a program that chooses: a depth-first search that stores no states, but runs again from the start. */

export class Choices {
  readonly #given: ReadonlyArray<number>
  /** What was chosen, and of how many. */
  readonly taken: Array<{ readonly choice: number; readonly of: number }> = []

  constructor(given: ReadonlyArray<number> = []) {
    this.#given = given
  }

  /** A number below `of`: the one given, or the first. */
  choose(of: number): number {
    const choice = Math.min(this.#given[this.taken.length] ?? 0, of - 1)
    this.taken.push({ choice, of })
    return choice
  }

  get list(): ReadonlyArray<number> {
    return this.taken.map(({ choice }) => choice)
  }

  /** The next list in order, or nothing after the last. */
  get next(): ReadonlyArray<number> | undefined {
    const last = this.taken.findLastIndex(({ choice, of }) => choice + 1 < of)
    return last === -1
      ? undefined
      : this.list.slice(0, last + 1).map((choice, at) => (at === last ? choice + 1 : choice))
  }
}

/** Runs it with every list of choices. Returns how many there were, and what is wrong with the first run that fails. */
export const runAll = (
  run: (choices: Choices) => string | undefined,
): {
  readonly runs: number
  readonly failure?: { readonly choices: ReadonlyArray<number>; readonly reason: string }
} => {
  let given: ReadonlyArray<number> | undefined = []
  let runs = 0
  while (given !== undefined) {
    const choices = new Choices(given)
    const reason = run(choices)
    runs++
    if (reason !== undefined) return { runs, failure: { choices: choices.list, reason } }
    given = choices.next
  }
  return { runs }
}
