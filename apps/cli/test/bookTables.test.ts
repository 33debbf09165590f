/**
 * The rules of the month end as tables, a row for each case: P1 to P25 by their numbers, as finance reads them, in the
 * words of `BookTable.ts`. P26 to P29 are those of a close (`close*.test.ts`).
 */
import { readFile, writeFile } from "node:fs/promises"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Ageing from "@transferkit/report/Ageing"
import { describe, expect, test } from "vitest"
import { command, ledgerOf, reconcile, said, transfersOf } from "./BookTable.ts"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const september = ["--since", "2024-09", "--until", "2024-09"]

describe("1. outcomes and settlement", () => {
  test.each([
    ["P1", "a 100", "a 100 complete", "--kind cash_out", ["Matched a 100 100"], []],
    ["P1", "", "a 100 complete", "--kind cash_out", ["NothingToBook a 100"], ["left out by a filter"]],
    ["P2", "a 100", "a 100 complete", "", ["Matched a 100 100"], []],
    ["P3", "a 100", "a 100 declined", "", ["NotSettled! a 100 100"], ["booked, but declined at the service"]],
    ["P3", "a 90", "a 100 executing", "", ["NotSettled! a 90 100"], ["booked, but still open at the service"]],
    ["P4", "", "a 100 declined", "", ["NothingToBook a 100"], ["its status at the service is declined"]],
    ["P4", "", "a 100 executing", "", ["NothingToBook a 100"], ["its status at the service is executing"]],
    ["P5", "a 100", "a 100 declined, a 100 complete", "", ["Matched a 100 100", "NothingToBook a 100"], ["declined"]],
    [
      "P6",
      "a 100",
      "a 100 declined, a 200 complete",
      "",
      ["Differs! a 100 200", "NothingToBook a 100"],
      ["the amounts"],
    ],
    ["P5", "a 100, a 200", "a 100 complete, a 200 complete", "", ["Matched a 100 100", "Matched a 200 200"], []],
    [
      "P6",
      "a 100, a 50",
      "a 100 complete",
      "",
      ["Matched a 100 100", "NotAtService! a 50"],
      ["the key's transfer is matched by line 2"],
    ],
    [
      "P6",
      "a 100, a 100",
      "a 100 complete",
      "",
      ["Ambiguous! a 100", "Ambiguous! a 100", "Ambiguous! a 100"],
      ["1 row of 100 too many"],
    ],
    ["P5", "a 100", "a 100 complete, a 100 executing", "", ["Matched a 100 100", "NothingToBook a 100"], ["executing"]],
    [
      "P2",
      "a 100 declined",
      "a 100 declined, a 50 complete",
      "",
      ["Matched a 100 100", "NotInLedger! a 50"],
      ["not in the ledger"],
    ],
    ["P8", "a 100", "", september.join(" "), ["NotAtService! a 100"], ["not in the file, which may lack transfers"]],
    [
      "P8",
      "a 100",
      "",
      [...september, "--look-ups 0"].join(" "),
      ["NotAtService! a 100"],
      ["not among the transfers of September 2024"],
    ],
    [
      "P8",
      "a 100 @09-02",
      "a 100 complete @08-15",
      september.join(" "),
      ["OtherPeriod! a 100 100"],
      ["booked 2024-09-02, created 2024-08-15"],
    ],
  ])("%s: %s | %s %s", async (_, bookings, transfers, flags, outcomes, reasons) => {
    const found = await reconcile(bookings, transfers, ...flags.split(" ").filter((word) => word !== ""))
    expect(found.said).toEqual(outcomes)
    for (const reason of reasons) expect(found.why.join("; ")).toContain(reason)
  })

  test("P7: each row is in one outcome, whatever the order", async () => {
    const [bookings, transfers] = ["a 1, b 2, a 3, - 4, c 5", "c 5 declined, a 3 complete, b 9 complete, d 6 complete"]
    const turned = (text: string) => text.split(", ").toReversed().join(", ")
    const one = await reconcile(bookings, transfers)
    const other = await reconcile(turned(bookings), turned(transfers))
    expect(other.said.toSorted()).toEqual(one.said.toSorted())
    expect(one.said).toHaveLength(6)
  })

  test("P7: equal rows of a file are distinguished by their lines", async () => {
    const { json } = await reconcile("a 1, - 5, - 5", "")
    const lines: ReadonlyArray<{ key: string; reference: string }> = json.outcomes
    expect(lines.filter(({ key }) => key === "").map(({ reference }) => reference)).toEqual(["line 3", "line 4"])
  })

  test.each([[[]], [["--quiet"]]])("P1: an unknown status of a filter is warned of, with %j", async (flags) => {
    const { stderr } = await command(
      ledgerOf("a 1"),
      transfersOf("a 1 complete"),
      "--status",
      "complet",
      ...flags,
      "--output",
      "csv",
    )
    expect(stderr).toContain('warning: "complet" is not a known status')
  })

  test("the words of the codes", () => {
    expect(Reconciliation.outcomeWords).toMatchObject({
      Matched: "Matched",
      Differs: "Different",
      NotInLedger: "Not in your books",
      NotAtService: "Not at the service",
      OtherPeriod: "In another period",
      Expected: "In transit",
      Ambiguous: "Several candidates",
      NothingToBook: "Nothing to book",
    })
  })
})

describe("2. direction", () => {
  const two = (kind: "source" | "destination", fiat: ReadonlyArray<string>) =>
    JSON.stringify({
      id: "tr_1",
      external_id: "a",
      kind: kind === "source" ? "cash_in" : "cash_out",
      status: "complete",
      created_at: "2024-09-20T10:00:00Z",
      source_total: { amount: "10", currency_code: fiat.includes("source") ? "fiat/EUR" : "ethereum/ETH" },
      destination_total: { amount: "20", currency_code: fiat.includes("destination") ? "fiat/EUR" : "ethereum/ETH" },
    })

  test.each([
    ["income", "10", "source", ["source"], "Matched"],
    ["a payout", "-20", "destination", ["destination"], "Matched"],
    ["a payout that is booked as income", "20", "destination", ["destination"], "Differs"],
    ["no single fiat side", "10", "source", ["source", "destination"], "Differs"],
    ["no fiat side", "10", "source", [], "Differs"],
  ] as const)("P9: %s is compared by the fiat side", async (what, amount, kind, fiat, outcome) => {
    const { lines } = await command(`external_id,amount,currency\na,${amount},EUR`, two(kind, fiat), "--amount", "fiat")
    expect(lines.map((line) => line.outcome)).toEqual([outcome])
    if (what.startsWith("no ")) expect(lines[0]?.why).toContain("the transfer has no single fiat side")
  })

  test("P9: a kind that contradicts the fiat side is reported", async () => {
    const { stderr } = await command(
      "external_id,amount,currency\na,-20,EUR",
      two("source", ["destination"]),
      "--amount",
      "fiat",
    )
    expect(stderr).toContain("1 transfer of another direction than its kind")
  })

  const bank = "external_id,Debit,Credit,currency\na,,10,EUR\n"
  test.each([
    ["P10", "credit is income in a bank's statement", ["--map", "in=Credit", "--map", "out=Debit"], "Matched"],
    ["P10", "credit is expense in one's own account", ["--map", "in=Debit", "--map", "out=Credit"], "Differs"],
  ])("%s: %s", async (_, __, flags, outcome) => {
    const { lines } = await command(bank, transfersOf("a 10 complete"), ...flags)
    expect(lines.map((line) => line.outcome)).toEqual([outcome])
  })

  test.each([
    ["P11", bank, [], "--map in="],
    ["P11", "external_id,amount,currency,Dr/Cr\na,10,EUR,CR\n", [], "--map sign=none"],
    ["P12", "external_id,amount,currency,balance\na,10,EUR,10\nb,5,EUR,14\n", ["--map", "balance=balance"], "line 3"],
  ])("%s: %j is asked about, or rejected", async (_, ledger, flags, question) => {
    const { code, stderr } = await command(ledger, transfersOf("a 10 complete"), ...flags)
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(question) })
  })

  test("P11: --map sign=none answers that the column is to be ignored", async () => {
    const ledger = "external_id,amount,currency,Dr/Cr\na,10,EUR,CR\n"
    const { lines } = await command(ledger, transfersOf("a 10 complete"), "--map", "sign=none")
    expect(lines.map(said)).toEqual(["Matched a 10 10"])
  })

  test("P12: an unbroken balance answers which column is income", async () => {
    const ledger = "external_id,Debit,Credit,Balance,currency\na,,10,110,EUR\nb,5,,105,EUR\n"
    const { lines, code } = await command(
      ledger,
      transfersOf("a 10 complete, b -5 complete"),
      "--map",
      "balance=Balance",
    )
    expect({ code, said: lines.map(said) }).toEqual({ code: 0, said: ["Matched a 10 10", "Matched b -5 -5"] })
  })
})

describe("4. days and transit, as of 30 September", () => {
  test.each([
    ["P14", "", "a 1 complete @09-29", "3", ["Expected a 1"]],
    ["P14", "", "a 1 complete @09-20", "3", ["NotInLedger! a 1"]],
    ["P15", "a 1 @09-30", "a 1 complete @10-01", "3", ["OtherPeriod a 1 1"]],
    ["P15", "a 1 @09-30", "a 1 complete @10-01", "0", ["OtherPeriod! a 1 1"]],
    ["P14", "a 1 @09-27", "", "3", ["Expected a 1"]],
    ["P14", "a 1 @09-26", "", "3", ["NotAtService! a 1"]],
    ["P14", "a 1", "", "3", ["NotAtService! a 1"]],
    ["P14", "a 1 @09-29", "a 1 executing @09-28", "3", ["Expected a 1 1"]],
    ["P14", "a 1 @09-29", "a 1 declined @09-28", "3", ["NotSettled! a 1 1"]],
  ])("%s: %s | %s, %s days of grace", async (_, bookings, transfers, grace, outcomes) => {
    const found = await reconcile(bookings, transfers, ...september, "--grace", grace)
    expect(found.said).toEqual(outcomes)
  })

  test("P13: the 31st of August is in no September of Berlin", async () => {
    const found = await reconcile("a 1 @08-31, b 1 @09-01", "", ...september, "--time-zone", "Europe/Berlin")
    expect(found.said).toEqual(["NotAtService! b 1"])
  })

  test("P15: the as-of day is never the clock", async () => {
    const { code, stderr } = await reconcile("a 1", "", "--since", "2024-09", "--grace", "3")
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("give --as-of-day 2024-09-30") })
  })
})

describe("5. memory", () => {
  const keys = Array.from({ length: 45 }, (_, index) => `k${index}`)
  const rows = [...keys.map((key) => `${key} 1.50`), "- 5.00", "- 5.00", "- 7.00", "- 8.00"]
  const accept = async () => {
    await command(ledgerOf(rows.join(", ")), "", ...september, "--write-accepted", "draft.json")
    const { breaks, ...rest } = JSON.parse(await readFile("draft.json", "utf8"))
    const who = { reason: "FIN-12", by: "controller", at: "2024-10-02", until: "2024-10-31" }
    await writeFile(
      "accepted.json",
      JSON.stringify({ ...rest, breaks: breaks.map((one: object) => ({ ...one, ...who })) }),
    )
  }
  const german = (text: string) =>
    text
      .replaceAll(",", ";")
      .replaceAll(".", ",")
      .replaceAll(/,(\d)0/g, ",$1")

  test.each([
    ["P16", "the same rows", ledgerOf(rows.join(", ")), [], [0, 49, 0, 0], 0],
    ["P16", "in another order", ledgerOf(rows.toReversed().join(", ")), [], [0, 49, 0, 0], 0],
    ["P16", "in another notation", german(ledgerOf(rows.join(", "))), [], [0, 49, 0, 0], 0],
    ["P17", "one row more", ledgerOf([...rows, "more 1"].join(", ")), [], [1, 49, 0, 0], 1],
    ["P17", "one amount by 0.01", ledgerOf(["k0 1.51", ...rows.slice(1)].join(", ")), [], [1, 48, 0, 1], 1],
    ["P17", "one row less", ledgerOf(rows.slice(1).join(", ")), [], [0, 48, 0, 1], 0],
    ["P17", "after the last day", ledgerOf(rows.join(", ")), ["--as-of-day", "2024-11-01"], [0, 0, 49, 0], 1],
    ["P18", "a third equal row without a key", ledgerOf([...rows, "- 5.00"].join(", ")), [], [1, 49, 0, 0], 1],
  ])("%s: of 49 accepted breaks, %s: new, known, expired, resolved %#", async (_, __, ledger, flags, states, exit) => {
    await accept()
    const { code, json } = await command(ledger, "", ...september, "--accepted", "accepted.json", ...flags)
    expect({ code, states: Object.values(json.states) }).toEqual({ code: exit, states })
  })

  test("P19: an acceptance without a reason, or of other fields, is refused", async () => {
    await accept()
    const text = await readFile("accepted.json", "utf8")
    for (const [was, is] of [
      ["FIN-12", ""],
      ["1.5 fiat/EUR", "2.5 fiat/EUR"],
    ] as const) {
      await writeFile("accepted.json", text.replace(was, is))
      const { code } = await command(ledgerOf(rows.join(", ")), "", ...september, "--accepted", "accepted.json")
      expect(code).toBe(2)
    }
  })

  test.each([
    ["2024-09-23", "0-7"],
    ["2024-09-22", "8-30"],
    ["2024-08-31", "8-30"],
    ["2024-08-30", "31-60"],
    ["2024-08-01", "31-60"],
    ["2024-07-31", "61-90"],
    ["2024-07-02", "61-90"],
    ["2024-07-01", "over 90"],
    [undefined, "no date"],
  ])("open since %s is %s days old on 30 September", (since, age) => {
    expect(Ageing.ageOf(since, "2024-09-30")).toBe(age)
  })
})

describe("6. batches", () => {
  const payout = (amount: string) =>
    `external_id,amount,currency,payout\na,1.10,EUR,P\nb,2.20,EUR,P\nP,${amount},EUR,\n`

  test.each([
    ["P20", "3.30", "Payout"],
    ["P20", "3.31", "Payout!"],
  ])("%s: a payout of %s is the sum of the rows that name it, or a break", async (_, amount, outcome) => {
    const { lines } = await command(
      payout(amount),
      transfersOf("a 1.10 complete, b 2.20 complete"),
      "--map",
      "payout=payout",
    )
    expect(lines.map(said)).toEqual(["Matched a 1.10 1.10", "Matched b 2.20 2.20", `${outcome} P ${amount}`])
  })

  test("P21–P23: what may add up is proposed, and is still a break", async () => {
    const transfers = ["a 311.07", "b 412.93", "c 1250.11"].map((one, index) => `${one} complete @09-0${index + 1}`)
    const { said: lines, json } = await reconcile("P 1974.11 @09-03", transfers.join(", "), ...september, "--batches")
    expect(lines[0]).toBe("NotAtService! P 1974.11")
    expect(json.proposals).toMatchObject([{ key: "P" }])
  })
})

describe("7. roll-forward and fees", () => {
  test("P24: open on 31 August + new − cleared = open on 30 September, in items and amounts", async () => {
    const month = (name: string) => ["--since", name, "--until", name]
    const open = "a 100.00 complete @08-20, b 110.00 complete @08-21, c 100.00 complete @08-22"
    const more = [200, 300, 400, 150, 154.2].map(
      (amount, index) => `n${index} ${amount.toFixed(2)} complete @09-1${index}`,
    )
    await reconcile("", open, ...month("2024-08"), "--write-open", "open.json")
    const both = [open, ...more].join(", ")
    const { json } = await reconcile("a 100.00 @09-02, b 110.00 @09-03", both, ...september, "--carry", "open.json")
    const sum = (rows: number, amount: string) => ({ rows, amount: { amount, currency_code: "fiat/EUR" } })
    expect(json.roll_forward.find((line: { side: string }) => line.side === "service")).toEqual({
      side: "service",
      currency_code: "fiat/EUR",
      open_at_start: sum(3, "310.00"),
      new: sum(5, "1204.20"),
      cleared: sum(2, "210.00"),
      open_at_end: sum(6, "1304.20"),
    })
  })

  test.each([
    ["1.80", []],
    ["1.81", []],
    ["1.82", ["fee_off_schedule"]],
    ["1.78", ["fee_off_schedule"]],
  ])("P25: a fee of %s for 100 at 1.5 %% and 0.30, within 0.01: %j", async (fee, codes) => {
    const row = { fee: "service_fee", currency: "fiat/EUR", base: "source_subtotal", percent: "1.5", fixed: "0.30" }
    const exact = { rounding: "half-even", fraction_digits: 2, tolerance: "0.01" }
    await writeFile("fees.json", JSON.stringify({ fee_schedule: 1, rows: [{ ...row, ...exact }] }))
    const money = (amount: string) => ({ amount, currency_code: "fiat/EUR" })
    const one = { id: "tr_1", kind: "cash_in", status: "executing", created_at: "2024-09-20T10:00:00Z" }
    const amounts = { source_subtotal: money("100"), service_fee: money(fee) }
    await writeFile("fees.ndjson", JSON.stringify({ ...one, ...amounts }))
    await writeFile("capabilities.json", (await run(["capabilities", "--sandbox", "--output", "json"])).stdout)
    const args = ["audit", "--from", "fees.ndjson", "--fees", "fees.json", "--capabilities", "capabilities.json"]
    const { stdout } = await run([...args, "--output", "json"])
    const found: ReadonlyArray<{ readonly code: string }> = JSON.parse(stdout).findings
    expect(found.map(({ code }) => code).filter((code) => code.startsWith("fee"))).toEqual(codes)
  })
})
