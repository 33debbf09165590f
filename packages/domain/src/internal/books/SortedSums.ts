/** Many sums, of which those of an interval are counted. */

/** The sums as they were made, and in order. */
export interface SortedSums {
  readonly all: ReadonlyArray<bigint>
  readonly sorted: ReadonlyArray<bigint>
  readonly distinct: ReadonlyArray<bigint>
}

const compare = (self: bigint, that: bigint): number => (self < that ? -1 : self > that ? 1 : 0)

export const make = (all: ReadonlyArray<bigint>): SortedSums => {
  const sorted = all.toSorted(compare)
  return { all, sorted, distinct: sorted.filter((sum, index) => index === 0 || sum !== sorted[index - 1]) }
}

/** The sums of all sets but the empty one, at the index of the set's bits. Index 0 has a sum that no set has. */
export const ofSets = (units: ReadonlyArray<bigint>): SortedSums => {
  const all: Array<bigint> = [0n]
  for (const one of units) {
    const size = all.length
    for (let index = 0; index < size; index++) all.push((all[index] ?? 0n) + one)
  }
  all[0] = -1n
  return make(all)
}

/** How many sums lie within an interval, both ends included. */
export const count = ({ sorted }: SortedSums, from: bigint, to: bigint): number =>
  firstAbove(sorted, to) - firstAbove(sorted, from - 1n)

/** How many different sums do. */
export const countDistinct = ({ distinct }: SortedSums, from: bigint, to: bigint): number =>
  firstAbove(distinct, to) - firstAbove(distinct, from - 1n)

/** Where a sum was made first. */
export const indexOf = ({ all }: SortedSums, sum: bigint): number => all.indexOf(sum)

const firstAbove = (sorted: ReadonlyArray<bigint>, value: bigint): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0n) <= value) low = middle + 1
    else high = middle
  }
  return low
}
