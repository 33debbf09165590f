/** Months are closed one after the other, each from the bundle of the one before. */
import { createHash } from "node:crypto"
import { copyFile, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, test } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import { demo } from "./Cli.ts"
import { close, closeAccepted, refusal, transfers, useExports, verify } from "./ClosedMonths.ts"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"

useExports()
let port = 0

describe("close", () => {
  test("P26: writes a bundle, and says with its exit code whether there are breaks", async () => {
    const { code, of, json } = await close("09", "--out", "september.zip")
    expect(code).toBe(1)
    expect(of).toEqual({
      a: "Expected",
      b: "NotSettled",
      c: "OtherPeriod",
      d: "Differs",
      e: "Expected",
      stray: "NotAtService",
    })
    expect(json.close).toEqual({
      file: "september.zip",
      month: "2024-09",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      changes: null,
    })
    const files = await BundleFiles.read("september.zip")
    expect(Object.keys(files)).toEqual([
      "close.json",
      "ledgers/bank-09.csv",
      "open-items.json",
      "others.ndjson",
      "reconciliation.json",
      "report.html",
      "settings.json",
      "transfers.ndjson",
    ])
    const manifest = JSON.parse(files["close.json"] ?? "")
    expect(manifest).toMatchObject({
      transfers_close: 1,
      month: "2024-09",
      as_of_day: "2024-09-30",
      time_zone: "+00:00",
      origin: { partner_id: "demo" },
    })
    expect(manifest.command.join(" ")).toBe(
      "transfers close --month 2024-09 --out september.zip --ledger bank-09.csv --from september.ndjson --map date=day --grace 3",
    )
    expect(JSON.parse(files["reconciliation.json"] ?? "")).toMatchObject({
      breaks: 3,
      totals: { Matched: { outcomes: 1 } },
      settings: { grace_days: 3 },
      // The valuations of z, a and e; that of d is missing, and c and f are of October.
      dollars: [
        { class: "settled", transfers: 4, unvalued: 1, total: { amount: "62.5", currency_code: "fiat/USD" } },
        { class: "open", transfers: 1, unvalued: 0, total: { amount: "20.5", currency_code: "fiat/USD" } },
      ],
    })
    expect(files["report.html"]).toContain("<h1>Close of 2024-09</h1>")
    const hash = createHash("sha256").update(TwoMonths.september).digest("hex")
    expect(files["report.html"]).toContain(`bank-09.csv, SHA-256 <code>${hash}</code>`)
  })

  test("P26: does not call a month closed that has breaks", async () => {
    const own = ["--ledger", "bank-09.csv", "--map", "date=day", "--grace", "3", "--from", "september.ndjson"]
    const { stderr } = await run(["close", "--month", "2024-09", ...own, "--out", "shown.zip", "--output", "table"])
    expect(stderr).toContain("shown.zip: 2024-09 is kept with 3 breaks to resolve, close.json SHA-256 ")
  })

  test.each(["table", "ndjson", "csv"])("says beside %s how it has read the ledger", async (output) => {
    const own = ["--ledger", "bank-09.csv", "--map", "date=day", "--grace", "3", "--from", "september.ndjson"]
    const { stderr } = await run(["close", "--month", "2024-09", ...own, "--out", `${output}.zip`, "--output", output])
    expect(stderr).toMatch(/Read \d+ rows of ledgers\/bank-09\.csv\. Detected: /)
  })

  test("P26: writes the same bytes again, but for close.json", async () => {
    await close("09", "--out", "again.zip")
    const { "close.json": first, ...before } = await BundleFiles.read("september.zip")
    const { "close.json": second, ...after } = await BundleFiles.read("again.zip")
    expect(after).toEqual(before)
    expect(second).not.toBe(first)
  })

  test("P27: starts the next month from it: carried items, acceptances, and what changed since", async () => {
    const september = await closeAccepted("accepted.zip")
    expect(september).toMatchObject({ code: 0, json: { states: { new: 0, known: 3 } } })

    const { code, of, json } = await close("10", "--previous", "accepted.zip", "--out", "october.zip")
    expect(of).toEqual({ d: "Differs", stray: "NotAtService", f: "Expected", old: "OtherPeriod", b: "NotSettled" })
    // What b was accepted for is gone: it is settled now.
    expect({ code, states: json.states }).toEqual({ code: 1, states: { new: 1, known: 2, expired: 0, resolved: 1 } })
    expect(json.close.changes).toEqual({ month: "2024-09", added: 0, removed: 0, changed: 2 })
    const files = await BundleFiles.read("october.zip")
    const { transfers: changes } = JSON.parse(files["changes.json"] ?? "")
    expect(changes).toMatchObject([
      { id: "tr_z", changes: [{ field: "status", from: "complete", to: "declined" }] },
      { id: "tr_b", changes: [{ field: "status", from: "executing", to: "complete" }] },
    ])
    expect(files["report.html"]).toContain("Changed in 2024-09 since it was closed: 2 transfers")
    const before = await BundleFiles.read("accepted.zip")
    expect(files["carried.json"]).toBe(before["open-items.json"])
    expect(files["before.ndjson"]).toBe(before["transfers.ndjson"])
    expect(JSON.parse(files["close.json"] ?? "").previous).toEqual({
      month: "2024-09",
      sha256: september.json.close.sha256,
    })
    // The opening of October is what September left open.
    const open = JSON.parse(before["reconciliation.json"] ?? "").roll_forward
    const start = JSON.parse(files["reconciliation.json"] ?? "").roll_forward
    const of9 = (side: string) => open.find((line: { side: string }) => line.side === side).open_at_end
    for (const line of start) expect(line.open_at_start).toEqual(of9(line.side))
  })

  test("P27: has what appeared in the month before, or had failed there, to be booked", async () => {
    const failed = TwoMonths.transfer("failed", "8", "09-12", "declined")
    const late = TwoMonths.transfer("late", "9", "09-13")
    const pending = TwoMonths.transfer("pending", "10", "09-14", "executing")
    const settled = { ...pending, status: "complete" }
    for (const [name, data] of [
      ["first", [...transfers, failed, pending]],
      ["second", [...transfers, { ...failed, status: "complete" }, late, settled]],
    ] as const) {
      await using fake = await startFakeServer({ data, port })
      port = Number(new URL(fake.url).port)
      await run(["export", "--out", `${name}.ndjson`], { env: demo(fake.url) })
    }
    await close("09", "--from", "first.ndjson", "--out", "first.zip")
    const { of } = await close("10", "--from", "second.ndjson", "--previous", "first.zip", "--out", "second.zip")
    expect(of).toMatchObject({ failed: "NotInLedger", late: "NotInLedger", pending: "NotInLedger" })
    expect(await verify("second.zip")).toMatchObject({ code: 0, failed: [] })
    const { "open-items.json": open = "" } = await BundleFiles.read("second.zip")
    for (const id of ["tr_failed", "tr_late", "tr_pending"]) expect(open).toContain(`"transfers":[{"id":"${id}"`)
  })

  test("P28: is refused for what is not over, not whole, or of another base", async () => {
    const refusals = [
      [["--month", "2999-01"], "2999-01 is not over: close it from 2999-02-01 on"],
      [["--month", "2024-13"], "--month: expected a month, such as 2024-09"],
      [["--out", "september.zip"], "it exists, and a close is evidence"],
      [["--out", "october"], "--out: expected a name that ends in .zip, such as close-2024-10.zip, found "],
      [["--from", "bare.ndjson"], "does not say what it holds: it has no manifest"],
      [["--from", "complete.ndjson"], "holds only transfers of some status"],
      [["--from", "month.ndjson"], "lacks what was created 2024-09-28 to 2024-09-30"],
      [["--from", "month.ndjson", "--allow-incomplete"], "a close has no --allow-incomplete"],
      [
        ["--previous", "october.zip"],
        "its books end at 2024-11-01T00:00:00Z, and these begin at 2024-10-01T00:00:00Z: start from those of the period just before",
      ],
      [["--previous", "september.zip", "--amount", "source_subtotal"], "were kept with --amount source_total"],
      [
        ["--previous", "september.zip", "--time-zone", "Europe/Berlin"],
        "were kept with --time-zone +00:00, and these with Europe/Berlin",
      ],
      [["--previous", "bank-09.csv"], "it is no bundle that transfers close wrote"],
      [["--previous", "nope.zip"], '"nope.zip: no such file"'],
      [["--ledger", "empty.csv"], '"empty.csv: it has a header, but no rows'],
    ] as const
    await writeFile("empty.csv", TwoMonths.csv([]))
    await copyFile("october.ndjson", "bare.ndjson")
    await using fake = await startFakeServer({ data: transfers })
    await run(["export", "--status", "complete", "--out", "complete.ndjson"], { env: demo(fake.url) })
    await run(["export", "--since", "2024-10", "--until", "2024-11-03", "--out", "month.ndjson"], {
      env: demo(fake.url),
    })
    for (const [args, reason] of refusals) expect(await refusal(...args)).toContain(reason)
  })
})

test("a row without a day that waits for a transfer of the days of grace stays open, without an age", async () => {
  const data = [...transfers, TwoMonths.transfer("g", "5", "10-02", "executing")]
  await writeFile("undated.csv", "external_id,amount,currency\ng,5,EUR\n")
  await using fake = await startFakeServer({ data })
  await run(["export", "--out", "grace.ndjson"], { env: demo(fake.url) })
  const own = ["--from", "grace.ndjson", "--ledger", "undated.csv", "--grace", "3", "--out", "grace.zip"]
  const { stdout } = await run(["close", "--month", "2024-09", ...own, "--output", "json"])
  const found = JSON.parse(stdout).outcomes.find(({ key }: { key: string }) => key === "g")
  expect(found).toMatchObject({ outcome: "Expected" })
  expect(found.age_days ?? undefined).toBeUndefined()
  const { items } = JSON.parse((await BundleFiles.read("grace.zip"))["open-items.json"] ?? "")
  expect(items).toContainEqual(
    expect.objectContaining({ entries: [expect.objectContaining({ key: "g", since: "2024-09-30" })], transfers: [] }),
  )
})
