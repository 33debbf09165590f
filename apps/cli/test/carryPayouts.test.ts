/** A payout is compared with all rows that name it, whichever month and ledger has them. */
import { readFile, writeFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const months = ["2024-09", "2024-10", "2024-11"] as const

type Line = readonly [key: string, amount: number, day: string, payout?: string]

/** The ledger of a month, and its transfers: one for each row that names a payout. */
const write = async (month: string, rows: ReadonlyArray<Line>) => {
  const witness: Line = ["w", 1, `${month.slice(5)}-15`]
  const lines = [witness, ...rows].map(
    ([key, amount, day, payout = ""]) => `${key},${amount},EUR,2024-${day},${payout}`,
  )
  await writeFile("po.csv", ["external_id,amount,currency,day,po", ...lines].join("\n"))
}

/** Reconciles months that carry over; the payouts that each lists: their keys, `!` if they are a break, and why. */
const chain = async (ledgers: ReadonlyArray<ReadonlyArray<Line>>, ...args: ReadonlyArray<string>) => {
  const parts = ledgers.flat().filter(([key]) => key.startsWith("k"))
  const witnesses = months.map((month) => TwoMonths.transfer("w", "1", `${month.slice(5)}-15`))
  const sent = new Map(parts.map(([key, amount, day]) => [key, TwoMonths.transfer(key, String(amount), day)]))
  const found: Array<ReadonlyArray<string>> = []
  for (const [index, rows] of ledgers.entries()) {
    const month = months[index] ?? ""
    await write(month, rows)
    const own = witnesses.filter(({ created_at }) => created_at.startsWith(month))
    await writeFile("po.ndjson", TwoMonths.ndjson([...sent.values(), ...own]))
    const carry = index === 0 ? [] : ["--carry", `po-${index - 1}.json`]
    const period = ["--since", month, "--until", month, "--map", "date=day", "--map", "payout=po", "-o", "json"]
    const words = ["reconcile", "po.csv", "--from", "po.ndjson", ...period, "--write-open", `po-${index}.json`]
    const { stdout, stderr } = await run([...words, ...carry, ...args], {})
    expect(stdout, stderr).not.toBe("")
    const { outcomes } = JSON.parse(stdout)
    found.push(
      outcomes.map((line: Record<string, string>) =>
        line["outcome"] === "Payout" ? `${line["key"]}${line["break"] ? "!" : ""} ${line["why"]}` : line["outcome"],
      ),
    )
  }
  return found
}

const september: ReadonlyArray<Line> = [
  ["k0", 10, "09-10", "P1"],
  ["k1", 10, "09-29", "P1"],
  ["k2", 10, "09-30", "P1"],
]
const late: Line = ["k3", 10, "10-01", "P1"]

describe("P20: a payout in months that carry over", () => {
  test.each([
    ["is a break if it is short", 10, ["P1! pays 4 rows of 40 fiat/EUR; the sums differ"]],
    ["is none if it is the sum", 40, []],
  ])("%s, in the month after most rows that name it", async (_, amount, expected) => {
    const october: ReadonlyArray<Line> = [late, ["P1", amount, "10-02"]]
    expect(await chain([september, october])).toEqual([[], expected])
    // A ledger that overlaps has these rows again, and the earlier one had those of the days of grace.
    const overlap = [
      [...september, late],
      [...september, ...october],
    ]
    expect(await chain(overlap, "--grace", "5")).toEqual([[], expected])
  })

  test("stays a break if the next month has further rows of it, and none of its own", async () => {
    const ledgers: ReadonlyArray<ReadonlyArray<Line>> = [[...september, ["P1", 10, "09-30"]], [late], []]
    expect(await chain(ledgers)).toEqual([
      ["P1! pays 3 rows of 30 fiat/EUR; the sums differ"],
      ["P1! pays 4 rows of 40 fiat/EUR; the sums differ"],
      ["P1! pays 4 rows of 40 fiat/EUR; the sums differ"],
    ])
  })

  test("is compared again if it was right, and is named or paid once more", async () => {
    const right: ReadonlyArray<Line> = [...september, ["P1", 30, "09-30"]]
    expect(await chain([right, [], [["k4", 5, "11-03", "P1"]]])).toEqual([
      [],
      [],
      ["P1! pays 4 rows of 35 fiat/EUR; the sums differ"],
    ])
    const twice = "P1! pays 3 rows of 30 fiat/EUR; the sums differ"
    expect(await chain([right, [["P1", 30, "10-20"]], []])).toEqual([[], [twice, twice], [twice, twice]])
    expect(await chain([right, right, []], "--grace", "5")).toEqual([[], [], []])
  })

  test("waits for rows of the days of grace, which the next ledger may lack", async () => {
    const right: ReadonlyArray<Line> = [...september, late, ["P1", 40, "09-30"]]
    const waits = "P1 pays 4 rows of 40 fiat/EUR, some of them after the period"
    expect(await chain([right, [late], []], "--grace", "3")).toEqual([[waits], [], []])
    const short = "P1! pays 3 rows of 30 fiat/EUR; the sums differ"
    expect(await chain([right, [], []], "--grace", "3")).toEqual([
      [waits],
      [short, "NotInLedger"],
      [short, "NotInLedger"],
    ])
  })

  test("counts a row that an overlapping ledger names only now", async () => {
    const unnamed = september.map(([key, amount, day]): Line => [key, amount, day])
    const october: ReadonlyArray<Line> = [...september.slice(1), ["P1", 10, "10-02"]]
    expect(await chain([unnamed, october, october], "--grace", "5")).toEqual([
      [],
      ["P1! pays 2 rows of 20 fiat/EUR; the sums differ"],
      ["P1! pays 2 rows of 20 fiat/EUR; the sums differ"],
    ])
  })

  test("is rejected in open items that have it twice, or with a row of another key", async () => {
    await chain([[...september, ["P1", 30, "09-30"]]])
    const text = await readFile("po-0.json", "utf8")
    const [payout] = JSON.parse(text).payouts
    expect(payout).toMatchObject({ id: "P1", day: "2024-09-30", rows: 3, sums: [["30", "fiat/EUR"]] })
    const rejected = async (...payouts: ReadonlyArray<object>) => {
      await writeFile("edited.json", JSON.stringify({ ...JSON.parse(text), payouts }))
      const words = ["reconcile", "po.csv", "--from", "po.ndjson", "--since", "2024-10", "--until", "2024-10"]
      return (await run([...words, "--map", "date=day", "--carry", "edited.json"], {})).stderr
    }
    expect(await rejected(payout, payout)).toContain("it has the payout P1 twice: remove one of the two")
    expect(await rejected({ ...payout, id: "P2" })).toContain('the payout "P2" has a row of another key')
    expect(await rejected({ ...payout, sums: [] })).toContain("it is no file of open items")
    expect(await rejected({ ...payout, sums: [["ten", "fiat/EUR"]] })).toContain("it is no file of open items")
  })
})
