/** Texts to find in others, and where they are. */

/** The start and the end of each part of a text, in order. Objects would take many times the memory of the text. */
export type Edges = ReadonlyArray<number>

/** Texts to find. Mutable: more can be added. */
export interface Needles {
  /** The match of an open text goes on: the last bytes of a secret share characters with what follows in Base64. */
  readonly add: (text: string, isOpen?: boolean) => void
  /** Parts without overlaps. */
  readonly find: (text: string) => Edges
}

/** How many characters of Base64 follow, of those that may share bytes with what stands before. */
export const lengthOfRest = (text: string, end: number): number =>
  /^[\w+/-]{0,8}={0,2}/.exec(text.slice(end, end + 10))?.[0].length ?? 0

/** The parts of both, without overlaps. */
export const united = (some: Edges, others: Edges): Edges => {
  if (some.length === 0 || others.length === 0) return some.length === 0 ? others : some
  const apart: Array<number> = []
  for (let [a, b] = [0, 0]; ;) {
    const isFirst = (some[a] ?? Infinity) < (others[b] ?? Infinity)
    const start = isFirst ? some[a++] : others[b++]
    const end = isFirst ? some[a++] : others[b++]
    if (start === undefined || end === undefined) return apart
    const last = apart.at(-1) ?? 0
    if (start >= last) apart.push(start, end)
    else if (end > last) apart[apart.length - 1] = end
  }
}
