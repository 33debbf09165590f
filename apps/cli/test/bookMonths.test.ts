/**
 * Laws of books over several months, for random books: months that carry over what they leave open end where books of all
 * months at once do, and each of a chain of closes says what has changed in the month before.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CloseCheck from "@transferkit/books/close/CloseCheck"
import * as Closing from "@transferkit/books/close/Closing"
import * as PreviousClose from "@transferkit/books/close/PreviousClose"
import type * as OpenItems from "@transferkit/books/OpenItems"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as Transfer from "@transferkit/domain/Transfer"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { dayOf, integer, months, oneOf, reconcile, run, settingsOf, sourceOf, transferOf, words } from "./BookMonths.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-months-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** A key has at most one booking and one transfer: what matched is not carried over, so that no other can be taken. */
interface Row {
  readonly booked: { readonly amount: string; readonly day: number } | undefined
  readonly sent: { readonly amount: string; readonly day: number; readonly status: string } | undefined
  /** The month in which a transfer that was open got its status. */
  readonly settles: number
}

const row: Arbitrary.Arbitrary<Row> = Arbitrary.map(
  Arbitrary.all([
    oneOf(["both", "both", "both", "booked", "sent"]),
    oneOf(["10.00", "10.00", "10.01", "7"]),
    oneOf(["10.00", "10.0", "7.00"]),
    integer(0, 91),
    integer(-9, 40),
    oneOf(["complete", "complete", "complete", "declined", "executing"]),
    oneOf([0, 1, 1]),
  ] as const),
  ([kind, amount, other, day, later, status, open]) => ({
    booked: kind === "sent" ? undefined : { amount, day: Math.min(91, Math.max(0, day + later)) },
    sent: kind === "booked" ? undefined : { amount: other, day, status },
    settles: Math.floor(day / 31) + open,
  }),
)

const ledgerOf = (all: ReadonlyArray<Row>): string =>
  [
    "external_id,amount,currency,day",
    // It matches, and no ledger is empty.
    ...months.map((month, index) => `witness-${index},1,EUR,${month}-15`),
    ...all.flatMap(({ booked }, index) =>
      booked === undefined ? [] : [`k${index},${booked.amount},EUR,${dayOf(booked.day)}`],
    ),
  ].join("\n")

/** The transfers as they are when a month is closed: some are still open. */
const transfersAt = (all: ReadonlyArray<Row>, month: number): ReadonlyArray<Transfer.Transfer> => [
  ...months.map((name, index) => transferOf(`witness-${index}`, "1", `${name}-15`, "complete")),
  ...all.flatMap(({ sent, settles }, index) =>
    sent === undefined
      ? []
      : [transferOf(`k${index}`, sent.amount, dayOf(sent.day), settles > month ? "executing" : sent.status)],
  ),
]

const shown = ({ entries, transfers }: OpenItems.OpenItems): ReadonlyArray<string> =>
  [
    ...entries.map(({ key, amount, date }) => `booked ${key} ${amount} ${date}`),
    ...transfers.map(({ external_id, status }) => `sent ${external_id} ${status}`),
  ].toSorted()

const checked = async (
  { runs, size, seed }: { readonly runs: number; readonly size: number; readonly seed: string },
  property: (all: ReadonlyArray<Row>, grace: number) => Promise<void>,
): Promise<void> => {
  let tried = 0
  const check = Arbitrary.checkEffect(
    Arbitrary.all([Arbitrary.array(row, { minLength: size / 2, maxLength: size }), oneOf([0, 3])] as const),
    ([all, grace]) =>
      Effect.promise(async () => {
        tried++
        await property(all, grace)
        return true
      }),
    { runs, seed },
  )
  expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check)), `LAW_SEED=${seed} repeats it`).toBeUndefined()
  expect(tried).toBeGreaterThanOrEqual(runs)
}

test.each(Seeds.all)("P24: months one after the other leave open what all at once do, LAW_SEED=%s", async (seed) => {
  let left = 0
  await checked({ runs: 40, size: 14, seed }, async (all, grace) => {
    const ledger = join(folder, "ledger.csv")
    await writeFile(ledger, ledgerOf(all))
    const whole = await run(Effect.scoped(reconcile(ledger, transfersAt(all, 2), settingsOf(0, 2, grace), undefined)))
    let open: OpenItems.OpenItems | undefined
    for (const month of [0, 1, 2]) {
      const before = open
      const transfers = transfersAt(all, month)
      const books = await run(Effect.scoped(reconcile(ledger, transfers, settingsOf(month, month, grace), before)))
      open = books.open
      for (const line of books.rollForward) {
        const rowsOf = (items: OpenItems.OpenItems | undefined) =>
          line.side === "ledger" ? (items?.entries.length ?? 0) : (items?.transfers.length ?? 0)
        expect([line.open_at_start.rows, line.open_at_end.rows]).toEqual([rowsOf(before), rowsOf(open)])
        expect(line.open_at_end.rows).toBe(line.open_at_start.rows + line.new.rows - line.cleared.rows)
      }
    }
    expect(open === undefined ? [] : shown(open)).toEqual(shown(whole.open))
    left += whole.open.entries.length + whole.open.transfers.length
  })
  expect(left).toBeGreaterThan(40)
})

test.each(Seeds.all)(
  "P27: each of a chain of closes says what has changed, and can be repeated, LAW_SEED=%s",
  async (seed) => {
    let changed = 0
    await checked({ runs: 1, size: 60, seed }, async (all, grace) => {
      await writeFile(join(folder, "ledger.csv"), ledgerOf(all))
      for (const month of [0, 1, 2]) {
        const settings = settingsOf(month, month, grace)
        const { held, lookUps } = sourceOf(transfersAt(all, month), settings)
        const out = join(folder, `${month}.zip`)
        const close = Effect.gen(function* () {
          const previous =
            month === 0
              ? undefined
              : yield* PreviousClose.open(join(folder, `${month - 1}.zip`), { key: undefined, ledgers: [] })
          const times = Closing.timesOf(settings, previous && (yield* PreviousClose.read(previous)))
          const { changes } = yield* Closing.write({
            out,
            month: months[month] ?? "",
            settings,
            ledgers: [{ path: join(folder, "ledger.csv") }],
            words,
            accepted: undefined,
            previous,
            transfers: Stream.make(held.filter(({ created_at }) => CreatedAt.matches(times, created_at))),
            lookUps,
            origin: undefined,
            source: "a test",
            as_of: "",
            version: "0.0.0",
            command: [],
            closedAt: Timestamp.parseUnsafe("2025-01-01T00:00:00Z"),
            signKey: undefined,
            withoutLedgers: false,
            replaces: true,
          })
          const { checks } = yield* CloseCheck.check(out, { key: undefined, ledgers: [] })
          return { changes, failed: checks.filter(({ ok }) => !ok) }
        })
        const { changes, failed } = await run(Effect.scoped(close))
        expect(failed).toEqual([])
        if (month === 0) continue
        const statuses = new Map(transfersAt(all, month).map(({ id, status }) => [id, status]))
        const expected = transfersAt(all, month - 1)
          .filter(({ id, status, created_at }) => {
            return created_at.text.startsWith(months[month - 1] ?? "") && statuses.get(id) !== status
          })
          .map(({ id }) => String(id))
        expect(changes?.transfers.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
        changed += expected.length
      }
    })
    expect(changed).toBeGreaterThan(0)
  },
)
