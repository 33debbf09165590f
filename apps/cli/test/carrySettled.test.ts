/** What earlier books have settled is no counterpart any more, and what they left open is, month after month. */
import { readFile, writeFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const months = ["2024-09", "2024-10", "2024-11"] as const

/** Reconciles three months that carry over; what is a break, and what is open in the end, for each. */
const chain = async (
  transfers: (month: number) => ReadonlyArray<Omit<ReturnType<typeof TwoMonths.transfer>, "external_id">>,
  ledgers: ReadonlyArray<string>,
  ...args: ReadonlyArray<string>
) => {
  const found: Array<readonly [breaks: string, open: string]> = []
  for (const [index, month] of months.entries()) {
    await writeFile(
      "chain.ndjson",
      TwoMonths.ndjson([...transfers(index), TwoMonths.transfer("w", "1", `${month.slice(5)}-15`)]),
    )
    await writeFile("chain.csv", `${ledgers[index]}\nw,1,EUR,${month}-15`)
    const carry = index === 0 ? [] : ["--carry", `chain-${index - 1}.json`]
    const own = ["--since", month, "--until", month, "--map", "date=day", "--write-open", `chain-${index}.json`]
    const { stdout } = await run(
      ["reconcile", "chain.csv", "--from", "chain.ndjson", "-o", "json", ...own, ...carry, ...args],
      {},
    )
    const breaks = (JSON.parse(stdout).outcomes as Array<{ outcome: string; break: boolean; key: string }>)
      .filter((line) => line.break)
      .map(({ outcome, key }) => `${outcome} ${key}`)
    const { items } = JSON.parse(await readFile(`chain-${index}.json`, "utf8"))
    const open = items.flatMap(
      (item: { entries: Array<{ key: string; amount: string }>; transfers: Array<{ id: string }> }) => [
        ...item.entries.map(({ key, amount }) => `${key} ${amount}`),
        ...item.transfers.map(({ id }) => id),
      ],
    )
    found.push([breaks.join(), open.join()])
  }
  return found
}

describe("what earlier books have settled", () => {
  test.each([
    { day: "10-10", grace: "3" },
    { day: "10-01", grace: "0" },
    { day: "10-01", grace: "3" },
  ])("keeps a second booking of $day open, with $grace days of grace", async ({ day, grace }) => {
    const sent = [TwoMonths.transfer("k", "100", "09-29")]
    const ledgers = [TwoMonths.csv([["k", 100, "09-29"]]), TwoMonths.csv([["k", 100, day]]), TwoMonths.csv([])]
    const found = await chain(() => sent, ledgers, "--grace", grace)
    expect(found).toEqual([
      ["", ""],
      ["OtherPeriod k", "k 100"],
      ["OtherPeriod k", "k 100"],
    ])
  })

  test("keeps the row alone open that has no transfer, not the transfer of another row", async () => {
    const sent = [TwoMonths.transfer("k", "28", "10-05")]
    const twice = TwoMonths.csv([
      ["k", 28, "10-05"],
      ["k", 28.01, "10-06"],
    ])
    const found = await chain(() => sent, [TwoMonths.csv([]), twice, TwoMonths.csv([])], "--grace", "3")
    expect(found).toEqual([
      ["", ""],
      ["NotAtService k", "k 28.01"],
      ["OtherPeriod k", "k 28.01"],
    ])
  })

  test("is no transfer that was still open at the service, or left out by a filter: it may be booked now", async () => {
    const ledgers = [TwoMonths.csv([]), TwoMonths.csv([["k", 100, "10-01"]]), TwoMonths.csv([])]
    const of = (status: string) => [TwoMonths.transfer("k", "100", "09-29", status)]
    const nothing = [
      ["", ""],
      ["", ""],
      ["", ""],
    ]
    expect(await chain((month) => of(month === 0 ? "executing" : "complete"), ledgers, "--grace", "3")).toEqual(nothing)
    expect(await chain(() => of("complete"), ledgers, "--grace", "3", "--kind", "cash_out")).toEqual(nothing)
  })

  test("is no row for another transfer, which was still open then", async () => {
    const settled = TwoMonths.transfer("k", "100", "09-26")
    const later = (month: number) => ({
      ...TwoMonths.transfer("k", "100", "09-27"),
      id: "tr_2",
      status: month === 0 ? "executing" : "complete",
    })
    const row = TwoMonths.csv([["k", 100, "09-29"]])
    const none = TwoMonths.csv([])
    const open = ["NotInLedger k", "tr_2"]
    const ofMonth = (month: number) => [settled, later(month)]
    expect(await chain(ofMonth, [row, row, none], "--grace", "3")).toEqual([["", ""], open, open])
    const twice = TwoMonths.csv([
      ["k", 100, "09-29"],
      ["k", 100, "09-29"],
    ])
    expect(await chain(ofMonth, [row, twice, none], "--grace", "3")).toEqual([
      ["", ""],
      ["", ""],
      ["", ""],
    ])
    // Of a row that was booked late, without a transfer, no other books would say anything.
    const late = TwoMonths.csv([["stray", 5, "09-29"]])
    const stray = ["NotAtService stray", "stray 5"]
    expect(await chain(() => [], [none, late, none], "--grace", "3")).toEqual([["", ""], stray, stray])
  })

  test("is no second row of a payout, if an overlapping ledger has it again", async () => {
    const sent = TwoMonths.transfer("k1", "50", "10-01")
    await writeFile("payouts.ndjson", TwoMonths.ndjson([TwoMonths.transfer("w", "1", "09-11"), sent]))
    const head = "external_id,amount,currency,day,po\n"
    const part = "k1,50,EUR,2024-09-30,po1\n"
    await writeFile("september-po.csv", `${head}w,1,EUR,2024-09-11,\n${part}`)
    const own = ["--from", "payouts.ndjson", "--map", "date=day", "--map", "payout=po", "--grace", "3", "-o", "json"]
    const month = (name: string) => ["--since", name, "--until", name]
    await run(["reconcile", "september-po.csv", ...own, ...month("2024-09"), "--write-open", "po.json"])
    const payouts = async (ledger: string) => {
      await writeFile("october-po.csv", `${head}${ledger}`)
      const words = ["reconcile", "october-po.csv", ...own, ...month("2024-10"), "--carry", "po.json"]
      const { outcomes } = JSON.parse((await run(words)).stdout)
      return outcomes.filter((one: { readonly outcome: string }) => one.outcome === "Payout")
    }
    for (const copy of ["", part]) {
      expect(await payouts(`${copy}po1,50,EUR,2024-10-02,\npo1,50,EUR,2024-10-03,\n`)).toMatchObject([
        { break: true, why: expect.stringContaining("pays 1 row of 50") },
        { break: true },
      ])
    }
  })

  test("leaves what was still open at the service to be booked once it is settled", async () => {
    const sent = TwoMonths.transfer("k", "100", "09-10")
    const ofMonth = (month: number) => [{ ...sent, status: month === 0 ? "executing" : "complete" }]
    const none = TwoMonths.csv([])
    const open = ["NotInLedger k", "tr_k"]
    expect(await chain(ofMonth, [none, none, none])).toEqual([["", ""], open, open])
    expect(await chain(ofMonth, [none, none, TwoMonths.csv([["k", 100, "11-02"]])])).toEqual([["", ""], open, ["", ""]])
    // Without a key, too.
    const { external_id: _, ...keyless } = sent
    const withoutKey = (month: number) => ofMonth(month).map(({ status }) => ({ ...keyless, status }))
    expect(await chain(withoutKey, [none, none, none])).toMatchObject([
      ["", ""],
      [{}, "tr_k"],
      [{}, "tr_k"],
    ])
  })

  test("leaves what had failed and was open again to be booked once it is settled", async () => {
    const statuses = ["declined", "executing", "complete"]
    const ofMonth = (month: number) => [TwoMonths.transfer("k", "100", "09-29", statuses[month])]
    const none = TwoMonths.csv([])
    expect(await chain(ofMonth, [none, none, none], "--grace", "3")).toEqual([
      ["", ""],
      ["", ""],
      ["NotInLedger k", "tr_k"],
    ])
  })

  test("is no transfer that was open, and then had failed: it may be booked once it is settled", async () => {
    const statuses = ["executing", "declined", "complete"]
    const ofMonth = (month: number) => [TwoMonths.transfer("k", "100", "09-29", statuses[month])]
    const row = TwoMonths.csv([["k", 100, "11-02"]])
    expect(await chain(ofMonth, [TwoMonths.csv([]), TwoMonths.csv([]), row], "--grace", "3")).toEqual([
      ["", ""],
      ["", ""],
      ["OtherPeriod k", ""],
    ])
  })

  test("is no row of an overlapping ledger, unless it was booked after those books were made", async () => {
    const sent = [TwoMonths.transfer("k", "100", "09-29"), { ...TwoMonths.transfer("k", "100", "10-01"), id: "tr_2" }]
    const row = TwoMonths.csv([["k", 100, "09-29"]])
    expect(await chain(() => sent, [row, row, TwoMonths.csv([])], "--grace", "3")).toEqual([
      ["", ""],
      ["NotInLedger k", "tr_2"],
      ["NotInLedger k", "tr_2"],
    ])
    expect(await chain(() => sent.slice(0, 1), [TwoMonths.csv([]), row, TwoMonths.csv([])], "--grace", "3")).toEqual([
      ["", "tr_k"],
      ["", ""],
      ["", ""],
    ])
  })
})

test.each([
  {
    what: "after",
    first: "09-30",
    second: "10-04",
    row: "10-03",
    breaks: "Ambiguous k,Ambiguous k,Ambiguous k",
    open: "k 100,tr_1,tr_2",
  },
  { what: "before", first: "09-26", second: "10-01", row: "09-29", breaks: "NotInLedger k", open: "tr_2" },
])(
  "the next books miss a row that those before took for another transfer, as its own was $what the days of grace",
  async (one) => {
    const sent = [
      { ...TwoMonths.transfer("k", "100", one.first), id: "tr_1" },
      { ...TwoMonths.transfer("k", "100", one.second), id: "tr_2" },
    ]
    const row = TwoMonths.csv([["k", 100, one.row]])
    const found = await chain(() => sent, [row, row, TwoMonths.csv([])], "--grace", "3")
    expect(found[1]).toEqual([one.breaks, one.open])
  },
)

test("rows that were booked late are known as such with more days of grace than the earlier books had", async () => {
  const sent = [TwoMonths.transfer("w", "1", "09-15"), TwoMonths.transfer("v", "1", "10-15")]
  await writeFile("more.ndjson", TwoMonths.ndjson(sent))
  await writeFile("september.csv", TwoMonths.csv([["w", 1, "09-15"]]))
  await writeFile(
    "october.csv",
    TwoMonths.csv([
      ["ghost", 700, "09-30"],
      ["v", 1, "10-15"],
    ]),
  )
  const books = (name: string, month: string, rest: string) =>
    run(
      `reconcile ${name}.csv --from more.ndjson --since ${month} --until ${month} --map date=day -o json ${rest}`.split(
        " ",
      ),
    )
  expect(await books("september", "2024-09", "--write-open less.json")).toMatchObject({ code: 0 })
  for (const grace of [3, 7]) {
    const { stdout } = await books("october", "2024-10", `--carry less.json --grace ${grace}`)
    expect(JSON.parse(stdout).outcomes).toMatchObject([{ outcome: "NotAtService", key: "ghost", break: true }])
  }
  expect(await books("october", "2024-10", "--carry less.json --grace 8")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "they know the rows of ledgers since 2024-09-24, and with --grace 8 these books need those since 2024-09-23: give --grace 7, or make the earlier books again with --grace 8",
    ),
  })
})

describe("books of single days", () => {
  const days = ["01", "02", "03", "04", "05", "06", "07", "08", "09"]
  const booked = days.map((day) => [`k${day}`, 1, `10-${day}`] as const)

  /** Reconciles a day, from the first on, with rows of a ledger. */
  const reconcile = async (day: string, rows: typeof booked, rest: string) => {
    await writeFile("days.ndjson", TwoMonths.ndjson(days.map((one) => TwoMonths.transfer(`k${one}`, "1", `10-${one}`))))
    await writeFile("days.csv", TwoMonths.csv(rows))
    const period = `--since 2024-10-${day} --until 2024-10-${day}`
    return run(`reconcile days.csv --from days.ndjson ${period} --map date=day -o json ${rest}`.split(" "))
  }

  test("know a row that those before the last had, though the last ledger did not have it", async () => {
    for (const [index, day] of days.entries()) {
      // The last ledger has all rows again.
      const rows = day === "09" ? booked : booked.slice(index, index + 1)
      const carry = index === 0 ? "" : `--carry ${days[index - 1]}.json `
      const { stdout } = await reconcile(day, rows, `${carry}--grace 3 --write-open ${day}.json`)
      expect([day, JSON.parse(stdout).breaks]).toEqual([day, 0])
    }
    const { seen } = JSON.parse(await readFile("09.json", "utf8"))
    expect(seen.since).toBe("2024-10-03")
    expect(seen.rows.map(([day]: readonly [string]) => day)).toEqual(days.slice(2).map((day) => `2024-10-${day}`))
  })

  test("know nothing of the days before the first of them", async () => {
    await reconcile("01", booked.slice(0, 1), "--write-open first.json")
    expect(await reconcile("02", booked.slice(1, 2), "--carry first.json --grace 1")).toMatchObject({ code: 0 })
    expect(await reconcile("02", booked.slice(1, 2), "--carry first.json --grace 2")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("give --grace 1, or make the earlier books again with --grace 2"),
    })
  })
})
