/** Laws of a mirror: of a service that changes while it is read, of a sync that is killed, and of sums. */
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Ref from "effect/Ref"
import { describe, expect, test } from "vitest"
import * as MirrorSync from "../../src/MirrorSync.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"
import * as Life from "../Life.ts"

const hour = 3_600_000

const copyOf = (lab: Lab.Lab) => Lab.mirrored(lab)

/** In so small a life, all that a pass asks for may really have vanished. */
const sync = (lab: Lab.Lab) => Lab.sync(lab, { allowVanished: Ref.makeUnsafe(20) })

export const lawSuite = (database: Database, { seeds }: { readonly seeds: ReadonlyArray<string> }) =>
  describe.each(seeds)(`a mirror in ${database.name}, LAW_SEED=%s`, (seed) => {
    test("is the same as the service after each pass, and as its own past at each instant", async () => {
      const roll = Life.dice(seed)
      // Sorted by change, a row may move behind the cursor while pages are read, and is never seen.
      const orders = TransferStore.sortOrders.filter((name) => name !== "by-updated")
      const order = orders[roll(orders.length)]
      const lab = Lab.make(await database.fresh(), { count: 250, seed: roll(1000), ...(order && { order }) })
      // Changes while pages are read, during the first load too, and between the passes.
      let serial = 0
      const during: Array<number> = []
      lab.onSearch = () => {
        if (roll(4) > 0) return
        during.push(serial)
        Life.happen(lab, roll, serial++)
      }
      const copies: Array<readonly [at: number, copy: ReadonlyMap<string, string>]> = []
      // As many passes as it takes until enough has happened during them.
      for (let pass = 0; pass < 8 || (during.length < 7 && pass < 40); pass++) {
        await sync(lab)
        // Instants count up by a millisecond for each transaction that a pass needs.
        const seen = lab.now + 30_000
        lab.now += 60_000 + roll(hour / 4)
        const copy = await copyOf(lab)
        // Until the next pass has seen something else, it is what is known.
        copies.push([seen, copy], [seen + roll(lab.now - seen), copy], [lab.now - 1, copy])
        for (let event = 0; event < 3; event++) Life.happen(lab, roll, serial++)
      }
      lab.onSearch = () => {}
      await sync(lab)
      expect(await copyOf(lab)).toEqual(Lab.served(lab))
      expect(serial).toBeGreaterThan(30)
      expect(during.length).toBeGreaterThan(6)
      for (const [at, copy] of copies) {
        const asOf = Timestamp.fromDate(new Date(at))
        expect(await Lab.mirrored(lab, { asOf })).toEqual(copy)
      }
      expect(await Lab.mirrored(lab, { asOf: Timestamp.parseUnsafe("2024-12-31T23:59:59Z") })).toEqual(new Map())
      // A copy of what is there cannot have been there before it was created, nor twice.
      const doubled = await Lab.query(
        lab,
        `SELECT id FROM transfer_changes GROUP BY partner_id, id, seen_at, event HAVING COUNT(*) > 1`,
      )
      expect(doubled).toEqual([])
    })

    test("is the same as the service after a kill at any moment, and reads nothing twice into its history", async () => {
      const roll = Life.dice(`${seed} kills`)
      const lab = Lab.make(await database.fresh(), { count: 200, seed: roll(1000) })
      let kills = 0
      let serial = 0
      // As many steps as the last sync took that came to its end.
      let whole = 40
      for (let moment = 0; kills < 100; moment++) {
        const last = roll(whole)
        let steps = 0
        lab.onApply = lab.onSearch = () => {
          if (steps++ === last) throw new Error("killed")
        }
        const isKilled = await sync(lab).then(
          () => false,
          (error: unknown) => {
            if (!(error instanceof Error) || error.message !== "killed") throw error
            return true
          },
        )
        if (isKilled) kills++
        else whole = steps
        lab.now += 1000
        if (moment % 5 === 4) Life.happen(lab, roll, serial++)
        expect(moment).toBeLessThan(200)
      }
      lab.onApply = lab.onSearch = () => {}
      await sync(lab)
      expect(await copyOf(lab)).toEqual(Lab.served(lab))
      const changes = await Lab.query(lab, "SELECT event, id FROM transfer_changes")
      expect(changes.length).toBeLessThanOrEqual(serial)
    })

    test("has sums in its views that equal the domain's", async () => {
      const roll = Life.dice(`${seed} sums`)
      const lab = Lab.make(await database.fresh(), { count: 300, seed: roll(1000) })
      Life.insertOddAmounts(lab, roll)
      await Lab.sync(lab)
      const transfers = [...Lab.served(lab).values()].map((body) => Lab.ok(Transfer.fromJson(body)))
      const totals = await Lab.query(lab, "SELECT * FROM daily_totals")
      const days = Summary.summarize(transfers, { by: ["day", "status", "currency"] }).groups.flatMap(
        ({ key, totals }) =>
          (totals.source_total ?? []).map((total) => [
            `${key.day} ${key.status} ${total.currency_code}`,
            plain(total.text),
          ]),
      )
      expect(days.length).toBeGreaterThan(50)
      expect(
        new Map(
          totals.map((row) => [
            `${row["created_day"]} ${row["status"]} ${row["currency_code"]}`,
            plain(String(row["source_total"])),
          ]),
        ),
      ).toEqual(new Map(days.map(([key, total]) => [String(key), String(total)])))
      const fees = await Lab.query(lab, "SELECT * FROM fees_by_currency")
      for (const field of ["service_fee", "network_fee"] as const) {
        const months = Summary.summarize(transfers, { by: ["month", "status"] }).groups.flatMap(({ key, totals }) =>
          (totals[field] ?? []).map((total) => [
            `${key.month} ${key.status} ${total.currency_code}`,
            plain(total.text),
          ]),
        )
        expect(
          new Map(
            fees.flatMap((row) =>
              row[field] === null
                ? []
                : [[`${row["created_month"]} ${row["status"]} ${row["currency_code"]}`, plain(String(row[field]))]],
            ),
          ),
        ).toEqual(new Map(months.map(([key, total]) => [String(key), String(total)])))
      }
      const [sums] = await Lab.query(
        lab,
        "SELECT decimal_sum(source_total_amount) AS exact FROM transfers WHERE source_total_currency_code = 'ethereum/ODD'",
      )
      const [odd] = Summary.summarize(transfers, { by: [] }).groups.flatMap(({ totals }) =>
        (totals.source_total ?? []).filter(({ currency_code }) => currency_code === "ethereum/ODD"),
      )
      expect(plain(String(sums?.["exact"]))).toBe(odd && plain(odd.text))
    })

    test("is repaired by a verification, whatever happened to it", async () => {
      const roll = Life.dice(`${seed} drift`)
      const lab = Lab.make(await database.fresh(), { count: 300, seed: roll(1000) })
      await Lab.sync(lab)
      const ids = [...Lab.served(lab).keys()]
      // None of this shows in a pass: old, and terminal or new.
      Lab.ok(TransferStore.change(lab.store, ids[3] ?? "", { colour: "red" }))
      Lab.ok(TransferStore.remove(lab.store, ids[7] ?? ""))
      Lab.ok(
        TransferStore.insert(lab.store, {
          id: "late",
          kind: "cash_in",
          status: "complete",
          created_at: "2024-02-03T00:00:00Z",
        }),
      )
      const report = await Lab.run(lab, MirrorSync.verify({ partner_id: Lab.partner_id }))
      expect(report).toMatchObject({ created: 1, changed: 1, vanished: 1, transfers: 300 })
      expect(await copyOf(lab)).toEqual(Lab.served(lab))
    })
  })

/** Without zeros that do not count. */
export const plain = (decimal: string): string =>
  decimal
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "")
    .replace(/^-0$/, "0")
