/** A transfer that had failed when its month was closed, and is settled when the next is: it is the counterpart of one row. */
import { readFile, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, describe, expect, test } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import { demo } from "./Cli.ts"
import { verify } from "./ClosedMonths.ts"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const months = ["08", "09", "10", "11"] as const
type Rows = Parameters<typeof TwoMonths.csv>[0]

/** The export of a month, by the status of the transfer when it is closed. */
const exportOf = (status: string) => `${status}.ndjson`

beforeAll(async () => {
  let port = 0
  for (const status of ["complete", "declined"]) {
    const others = months.map((month) => TwoMonths.transfer(`w${month}`, "1", `${month}-10`))
    await using fake = await startFakeServer({
      data: [TwoMonths.transfer("k", "30", "08-31", status), ...others],
      port,
    })
    port = Number(new URL(fake.url).port)
    await run(["export", "--out", exportOf(status)], { env: demo(fake.url) })
  }
})

/** Closes the months, each from the one before: the breaks of each, what is open, and the transfers that it calls unused. */
const chain = async (
  statuses: ReadonlyArray<string>,
  booked: Readonly<Partial<Record<(typeof months)[number], Rows>>>,
  ...args: ReadonlyArray<string>
) => {
  const found: Array<readonly [breaks: string, open: string, unused: string]> = []
  for (const [index, month] of months.entries()) {
    await writeFile("bank.csv", TwoMonths.csv([[`w${month}`, 1, `${month}-10`], ...(booked[month] ?? [])]))
    const previous = index === 0 ? [] : ["--previous", `${months[index - 1]}.zip`]
    const own = ["--month", `2024-${month}`, "--from", exportOf(statuses[index] ?? "complete"), "--out", `${month}.zip`]
    const how = ["--ledger", "bank.csv", "--map", "date=day", "--force", "-o", "json", ...(index === 0 ? [] : args)]
    const { stdout } = await run(["close", ...own, "--grace", "3", ...how, ...previous])
    const breaks = (JSON.parse(stdout).outcomes as Array<{ break: boolean; outcome: string; key: string }>)
      .filter((line) => line.break)
      .map(({ outcome, key }) => `${outcome} ${key}`)
    const { items, unused } = JSON.parse((await BundleFiles.read(`${month}.zip`))["open-items.json"] ?? "")
    const open = items.flatMap(
      (item: { entries: ReadonlyArray<{ key: string; amount: string }>; transfers: ReadonlyArray<{ id: string }> }) => [
        ...item.entries.map(({ key, amount }) => `${key} ${amount}`),
        ...item.transfers.map(({ id }) => id),
      ],
    )
    const shown = unused.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`)
    found.push([breaks.join(), open.join(), shown.join()])
  }
  return found
}

describe("a transfer that had failed in the days of grace, and is settled since", () => {
  const once: Rows = [["k", 30, "09-02"]]
  const again: Rows = [["k", 30, "10-03"]]
  const nothing = ["", "", ""]
  const unused = ["", "", "tr_k declined"]
  const open = ["OtherPeriod k", "k 30", ""]

  test("keeps a second booking open in each month, as one that was settled at once does", async () => {
    const booked = { "09": once, "10": again }
    expect(await chain(["declined"], booked)).toEqual([unused, nothing, open, open])
    expect(await verify("11.zip")).toMatchObject({ code: 0, failed: [] })
    expect((await chain(["complete"], booked)).slice(2)).toEqual([open, open])
  })

  test("is not there for another row of its key", async () => {
    const two: Rows = [...once, ["k", 7, "09-03"]]
    expect(await chain(["declined"], { "09": two })).toEqual([
      unused,
      ["NotAtService k", "k 7", ""],
      ["OtherPeriod k", "k 7", ""],
      ["OtherPeriod k", "k 7", ""],
    ])
  })

  test("may be booked as long as it has failed, and once when it is settled two closes later", async () => {
    const booked = { "10": again, "11": [["k", 30, "11-04"]] as const }
    expect(await chain(["declined", "declined"], booked)).toEqual([unused, unused, ["OtherPeriod k", "", ""], open])
  })

  test("does not resolve an accepted second booking", async () => {
    await chain(["declined"], { "09": once, "10": again })
    const own = ["--since", "2024-10", "--until", "2024-10", "--map", "date=day", "--grace", "3"]
    await writeFile("carried.json", (await BundleFiles.read("09.zip"))["open-items.json"] ?? "")
    await writeFile("bank.csv", TwoMonths.csv([["w10", 1, "10-10"], ...again]))
    const from = ["--from", exportOf("complete"), "--carry", "carried.json"]
    await run(["reconcile", "bank.csv", ...own, ...from, "--write-accepted", "draft.json"])
    const { breaks, ...rest } = JSON.parse(await readFile("draft.json", "utf8"))
    const accept = (one: object) => ({ ...one, reason: "asked back", by: "Ann", at: "2024-11-02", until: "2025-03-31" })
    await writeFile("accepted.json", JSON.stringify({ ...rest, breaks: breaks.map(accept) }))
    await chain(["declined"], { "09": once, "10": again }, "--accepted", "accepted.json")
    const { "reconciliation.json": books = "" } = await BundleFiles.read("11.zip")
    expect(JSON.parse(books).states).toMatchObject({ new: 0, known: 1, resolved: 0 })
  })
})
