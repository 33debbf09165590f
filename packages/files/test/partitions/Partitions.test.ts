import { describe, expect, test } from "vitest"
import { Partitions, type RowFormat, type Spread } from "../../src/partitions/Partitions.ts"
import { scratchInMemory } from "./scratchInMemory.ts"

interface Row {
  readonly key: string
  readonly index: number
}

const format: RowFormat<Row> = {
  keyOf: ({ key }) => key,
  lengthOf: ({ key }) => key.length + 20,
  encode: (row) => JSON.stringify(row),
  decode: (texts) => JSON.parse(`[${texts.join(",")}]`),
}

const rowsOf = (count: number, keyOf: (index: number) => string): ReadonlyArray<Row> =>
  Array.from({ length: count }, (_, index) => ({ key: keyOf(index), index }))

const visited = (left: ReadonlyArray<Row>, right: ReadonlyArray<Row>, spread: Spread) => {
  const scratch = scratchInMemory(7)
  const partitions = new Partitions({ scratch, left: format, right: format, ...spread })
  for (const row of left) partitions.addLeft(row)
  for (const row of right) partitions.addRight(row)
  const groups: Array<{ readonly left: ReadonlyArray<Row>; readonly right: ReadonlyArray<Row> }> = []
  const largeKeys: Array<string> = []
  const visits = partitions.visits({
    group: (group) => groups.push(group),
    largeKey: (large) => {
      largeKeys.push(large.key)
      const own = { left: [...large.left()].flat(), right: [...large.right()].flat() }
      expect({ left: own.left.length, right: own.right.length }).toEqual(large.counts)
      groups.push(own)
    },
  })
  for (const _ of visits) expect(scratch.seed).toBe(7)
  return { groups, largeKeys, scratch }
}

/** Each row once, all rows of a key together, in the order in which they were added. */
const expectTogether = (
  groups: ReturnType<typeof visited>["groups"],
  left: ReadonlyArray<Row>,
  right: ReadonlyArray<Row>,
) => {
  const placeOf = new Map<string, number>()
  groups.forEach((group, at) => {
    for (const { key } of [...group.left, ...group.right]) {
      expect(placeOf.get(key) ?? at).toBe(at)
      placeOf.set(key, at)
    }
  })
  for (const [side, rows] of [
    ["left", left],
    ["right", right],
  ] as const) {
    const byKey = (those: ReadonlyArray<Row>) => Map.groupBy(those, ({ key }) => key)
    expect(byKey(groups.flatMap((group) => group[side]))).toEqual(byKey(rows))
  }
}

const left = rowsOf(2000, (index) => `${index % 700} \u00e4\t"`)
const right = rowsOf(1500, (index) => `${(index * 7) % 900} \u00e4\t"`)

describe("rows of two sides", () => {
  test("stay in memory below the limit", () => {
    const { groups, scratch } = visited(left, right, {})
    expect(groups).toEqual([{ left, right }])
    expect(scratch.blocks).toHaveLength(0)
  })

  test.each([1, 2, 16, 128])("meet by key in %i partitions", (count) => {
    const { groups, largeKeys } = visited(left, right, { count, limit: 60_000 })
    expectTogether(groups, left, right)
    expect(largeKeys).toEqual([])
  })

  test("meet by key when all keys hash alike, a limit of rows at once", () => {
    const limit = 5000
    const { groups, largeKeys } = visited(left, right, { hash: () => 3, limit })
    expectTogether(groups, left, right)
    expect(largeKeys).toEqual([])
    for (const group of groups) expect(JSON.stringify(group).length).toBeLessThan(1.2 * limit)
  })

  test("meet by key in a partition that is too large, decoded once each", () => {
    let decoded = 0
    const counting: RowFormat<Row> = {
      ...format,
      keyIn: (text) => text.slice(0, text.indexOf(`,"index"`)),
      decode: (texts) => {
        decoded += texts.length
        return format.decode(texts)
      },
    }
    const partitions = new Partitions({
      scratch: scratchInMemory(7),
      left: counting,
      right: counting,
      limit: 20_000,
      count: 2,
    })
    for (const row of left) partitions.addLeft(row)
    for (const row of right) partitions.addRight(row)
    const groups: Array<{ readonly left: ReadonlyArray<Row>; readonly right: ReadonlyArray<Row> }> = []
    const visits = partitions.visits({
      group: (group) => groups.push(group),
      largeKey: ({ key }) => expect(key).toBe(""),
    })
    expect([...visits].length).toBeGreaterThan(2)
    expectTogether(groups, left, right)
    expect(decoded).toBe(left.length + right.length)
  })

  test("of one key are read piece by piece if they are too many", () => {
    const many = [...left, ...rowsOf(5000, () => "constant")]
    const { groups, largeKeys } = visited(many, right, { limit: 60_000 })
    expect(largeKeys).toEqual(["constant"])
    expectTogether(groups, many, right)
  })

  test("may all be on one side, or none", () => {
    expectTogether(visited(left, [], { limit: 100 }).groups, left, [])
    expectTogether(visited([], right, { limit: 100 }).groups, [], right)
    expect(visited([], [], { limit: 0 }).groups).toEqual([{ left: [], right: [] }])
  })
})

describe("rows of keys that have one row on each side", () => {
  const keyed: RowFormat<Row> = { ...format, keyIn: (text) => JSON.parse(text).key }

  const paired = (left: ReadonlyArray<Row>, right: ReadonlyArray<Row>, isDone: (left: string) => boolean) => {
    const partitions = new Partitions({ scratch: scratchInMemory(), left: keyed, right: keyed, count: 1, limit: 1000 })
    for (const row of left) partitions.addLeft(row)
    for (const row of right) partitions.addRight(row)
    // Brought to scratch by a row that pairs with nothing, and is no longer than the limit.
    partitions.addLeft({ key: "z".repeat(400), index: 0 })
    const pairs: Array<readonly [Row, Row]> = []
    const rest: Array<string> = []
    const visits = partitions.visits({
      pair: (own, other) => {
        pairs.push([JSON.parse(own), JSON.parse(other)])
        return isDone(JSON.parse(own).key)
      },
      group: (group) =>
        rest.push(...group.left.map(({ key }) => `<${key}`), ...group.right.map(({ key }) => `>${key}`)),
      largeKey: () => {},
    })
    for (const _ of visits) continue
    return {
      pairs: pairs.toSorted(([a], [b]) => (a.key < b.key ? -1 : 1)),
      rest: rest.filter((key) => !key.includes("z")).toSorted(),
    }
  }

  const rows = (...keys: ReadonlyArray<string>) => keys.map((key, index) => ({ key: key.padEnd(100), index }))
  const key = (name: string) => name.padEnd(100)

  test("are offered as a pair, and are done with if they are taken", () => {
    const { pairs, rest } = paired(rows("a", "b", "c"), rows("b", "d", "a"), (own) => own === key("a"))
    expect(pairs).toEqual([
      [
        { key: key("a"), index: 0 },
        { key: key("a"), index: 2 },
      ],
      [
        { key: key("b"), index: 1 },
        { key: key("b"), index: 0 },
      ],
    ])
    expect(rest).toEqual([`<${key("b")}`, `<${key("c")}`, `>${key("b")}`, `>${key("d")}`])
  })

  test.each([
    ["on the left", rows("a", "a"), rows("a")],
    ["on the right", rows("a"), rows("a", "a")],
  ])("are distinguished from those with several %s", (_, left, right) => {
    const { pairs, rest } = paired([...left, ...rows("b")], [...right, ...rows("b", "c")], () => true)
    expect(pairs.map(([{ key: own }]) => own)).toEqual([key("b")])
    expect(rest).toHaveLength(4)
  })
})

describe("the limit", () => {
  const steps = (limit: number) => {
    const { groups } = visited(
      rowsOf(5, (index) => `k${index}`),
      [],
      { limit, count: 3 },
    )
    return groups.length
  }

  test("holds rows in memory as long as they are no longer", () => {
    // Each row counts for 22.
    expect(steps(110)).toBe(1)
    expect(steps(109)).toBe(3)
  })

  test("is filled with keys of a partition that is too large for it, and is kept", () => {
    const left = rowsOf(40, (index) => `key-${index % 20}`)
    const { groups, largeKeys } = visited(left, [], { limit: 150, count: 1 })
    const lengths = groups.map((group) => group.left.reduce((sum, row) => sum + JSON.stringify(row).length, 0))
    expect(largeKeys).toEqual([])
    expect(Math.max(...lengths)).toBeLessThanOrEqual(150)
    expect(groups.filter(({ left: own }) => own.length > 2).length).toBeGreaterThan(5)
  })
})
