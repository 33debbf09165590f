/** What happens in a service while it is mirrored, as dice decide. */
import * as Draw from "@transferkit/in-memory/Draw"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Lab from "./Lab.ts"

const hour = 3_600_000

/** A number from 0 up to, not including, `most`. */
export type Roll = (most: number) => number

/** Draws of one seed, one after the other. */
export const dice = (seed: string): Roll => {
  const key = Draw.keyOf(Draw.hashText(seed), 0)
  let index = 0
  return (most) => Draw.below(key, index++, most)
}

/** Something happens in the service that a pass has to notice. */
export const happen = (lab: Lab.Lab, roll: Roll, serial: number): void => {
  const all = [...Lab.served(lab).values()].map((body) => JSON.parse(body))
  const open = all.filter(({ status }) => !Lab.terminal(status))
  const one = open[roll(Math.max(1, open.length))]
  switch (roll(5)) {
    case 0:
    case 1: {
      // Several at one instant, some late, some of them exactly at the watermark.
      const at = roll(2) === 0 ? lab.now - roll(hour / 2) : Math.floor(lab.now / hour) * hour
      const created_at = new Date(at).toISOString()
      const id = `new-${serial}`
      const wire = { id, kind: "cash_in", status: "executing", created_at, colour: `c${roll(9)}` }
      return void Lab.ok(TransferStore.insert(lab.store, wire))
    }
    case 2:
      return one && void Lab.ok(TransferStore.remove(lab.store, one.id))
    default:
      return (
        one &&
        void Lab.ok(
          TransferStore.change(lab.store, one.id, {
            status: ["executing", "approved", "complete", "declined", "frozen"][roll(5)],
            updated_at: new Date(lab.now).toISOString(),
          }),
        )
      )
  }
}

/** Inserts transfers with amounts of every length and sign that a mirror holds. */
export const insertOddAmounts = (lab: Lab.Lab, roll: Roll): void => {
  for (let n = 0; n < 60; n++) {
    const digits = (most: number) => Array.from({ length: roll(most) }, () => String(roll(10))).join("")
    const fraction = digits(28)
    const amount = `${roll(2) === 0 ? "-" : ""}${roll(9) + 1}${digits(13)}${fraction === "" ? "" : `.${fraction}`}`
    const money = { amount, currency_code: "ethereum/ODD" }
    const wire = { id: `odd-${n}`, kind: "cash_in", status: "complete", created_at: "2024-06-01T00:00:00Z" }
    const fees = roll(2) === 0 ? { service_fee: money } : { network_fee: money, service_fee: money }
    const inserted = TransferStore.insert(lab.store, { ...wire, source_total: money, ...fees })
    if (n === 0) Lab.ok(inserted)
  }
}
