/** What applying a reading to a mirror returns and records, case by case. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import * as Driver from "../src/internal/Driver.ts"
import type { Applied, Reading } from "../src/MirrorReading.ts"
import { TransferMirror } from "../src/TransferMirror.ts"
import { ok } from "./Lab.ts"

const partner_id = "demo"
const created_at = "2024-06-01T00:00:00Z"
const created_ns = BigInt(Date.parse(created_at)) * 1_000_000n
const transferOf = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  ok(Transfer.fromJson(JSON.stringify({ id, kind: "cash_in", status: "executing", created_at, ...more })))

interface Run {
  readonly applied: ReadonlyArray<Applied>
  readonly changes: ReadonlyArray<unknown>
  readonly current: ReadonlyArray<unknown>
  readonly state: ReadonlyArray<unknown>
}

/** Applies readings to a new mirror, one a minute. */
const apply = (...readings: ReadonlyArray<Partial<Reading>>): Promise<Run> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const mirror = yield* TransferMirror
      const applied = yield* Effect.forEach(readings, (reading, index) =>
        mirror.apply({
          partner_id,
          window: CreatedAt.none,
          transfers: [],
          seen_at: `2025-01-01T00:0${index}:00.000Z`,
          run_id: BigInt(index),
          ...reading,
        }),
      )
      const rows = (text: string) => Driver.of(mirror).run((sql) => sql.unsafe(text))
      return {
        applied,
        changes: yield* rows(
          "SELECT id, event, run_id, previous_status, status, changed, since_at, seen_at, was_open, body IS NULL AS is_new FROM transfer_changes ORDER BY change_id",
        ),
        current: yield* rows(
          "SELECT id, status, is_open, first_seen_at, seen_at, vanished_at FROM mirrored_transfers ORDER BY id",
        ),
        state: yield* rows("SELECT name, value FROM sync_state ORDER BY name"),
      }
    }).pipe(Effect.provide(TransferMirror.layer("sqlite::memory:"))),
  )

const at = (minute: number) => `2025-01-01T00:0${minute}:00.000Z`

test("a new transfer is an event and part of the history", async () => {
  const { applied, changes, current, state } = await apply({ transfers: [transferOf("a")] })
  expect(applied).toEqual([{ events: [{ event: "created", transfer: transferOf("a") }], missing: [] }])
  expect(changes).toEqual([
    {
      id: "a",
      event: "created",
      run_id: 0n,
      previous_status: null,
      status: "executing",
      changed: "{}",
      since_at: at(0),
      seen_at: at(0),
      was_open: 1n,
      is_new: 1n,
    },
  ])
  expect(current).toEqual([
    { id: "a", status: "executing", is_open: 1n, first_seen_at: at(0), seen_at: at(0), vanished_at: null },
  ])
  expect(state).toEqual([])
})

test("a transfer of a first load is an event, but no history", async () => {
  const { applied, changes, state } = await apply({
    transfers: [transferOf("a")],
    logsCreated: false,
    state: { backfill: "here" },
  })
  expect(applied[0]?.events).toHaveLength(1)
  expect(changes).toEqual([])
  expect(state).toEqual([{ name: "backfill", value: "here" }])
})

test("a transfer created before the mirror begins is kept, and no event", async () => {
  const { applied, changes, current } = await apply(
    { transfers: [transferOf("a")], floor: created_ns + 1n },
    { transfers: [transferOf("b")], floor: created_ns },
  )
  expect(applied.map(({ events }) => events.map(({ transfer }) => transfer.id))).toEqual([[], ["b"]])
  expect(changes).toMatchObject([{ id: "b" }])
  expect(current).toMatchObject([{ id: "a" }, { id: "b" }])
})

test("a transfer that is the same is nothing, and neither are its fields in another order", async () => {
  const { applied, changes, current } = await apply(
    { transfers: [transferOf("a", { x: 1, y: 2 })] },
    { transfers: [transferOf("a", { x: 1, y: 2 })], window: CreatedAt.all },
    { transfers: [transferOf("a", { y: 2, x: 1 })] },
  )
  expect(applied.slice(1)).toEqual([
    { events: [], missing: [] },
    { events: [], missing: [] },
  ])
  expect(changes).toHaveLength(1)
  expect(current).toMatchObject([{ seen_at: at(0) }])
})

test("a change is an event with the status before, and keeps what was there", async () => {
  const { applied, changes, current } = await apply(
    { transfers: [transferOf("a")] },
    { transfers: [transferOf("a", { status: "complete" })] },
  )
  expect(applied[1]).toEqual({
    events: [{ event: "changed", previous_status: "executing", transfer: transferOf("a", { status: "complete" }) }],
    missing: [],
  })
  expect(changes[1]).toEqual({
    id: "a",
    event: "changed",
    run_id: 1n,
    previous_status: "executing",
    status: "complete",
    changed: '{"status":{"from":"executing","to":"complete"}}',
    since_at: at(0),
    seen_at: at(1),
    was_open: 1n,
    is_new: 0n,
  })
  expect(current).toEqual([
    { id: "a", status: "complete", is_open: 0n, first_seen_at: at(0), seen_at: at(1), vanished_at: null },
  ])
})

test("a transfer that was not read is missing at first, then vanished, and may reappear", async () => {
  const window = CreatedAt.all
  const { applied, changes, current } = await apply(
    { transfers: [transferOf("a"), transferOf("b")] },
    { transfers: [transferOf("a")], window },
    { transfers: [transferOf("a")], window, missed: new Set(["a", "b"]) },
    { transfers: [transferOf("a")], window, missed: new Set(["a", "b"]) },
    { transfers: [transferOf("b")] },
  )
  expect(applied.slice(1)).toEqual([
    { events: [], missing: [expect.objectContaining({ id: "b", created_ns })] },
    { events: [{ event: "vanished", previous_status: "executing", transfer: transferOf("b") }], missing: [] },
    { events: [], missing: [] },
    { events: [{ event: "reappeared", transfer: transferOf("b") }], missing: [] },
  ])
  expect(changes.slice(2)).toMatchObject([
    { event: "vanished", previous_status: "executing", status: null, since_at: at(0), seen_at: at(2), is_new: 0n },
    { event: "reappeared", previous_status: null, status: "executing", since_at: at(2), seen_at: at(4), is_new: 1n },
  ])
  expect(current).toMatchObject([
    { id: "a", vanished_at: null },
    { id: "b", first_seen_at: at(0), seen_at: at(4), vanished_at: null, is_open: 1n },
  ])
})

test("a transfer that vanished keeps whether it was open, and is not missing again", async () => {
  const { applied, current } = await apply(
    { transfers: [transferOf("a")] },
    { window: CreatedAt.all, missed: new Set(["a", "b"]) },
    { window: CreatedAt.all },
  )
  expect(applied[2]).toEqual({ events: [], missing: [] })
  expect(current).toEqual([
    { id: "a", status: "executing", is_open: 1n, first_seen_at: at(0), seen_at: at(1), vanished_at: at(1) },
  ])
})

test("a transfer outside the interval that was read is not missing, and one that moved there is changed", async () => {
  const june = "2024-06-30T00:00:00Z"
  const { applied } = await apply(
    { transfers: [transferOf("a"), transferOf("b")] },
    {
      transfers: [transferOf("a", { created_at: june })],
      window: CreatedAt.gte(transferOf("a", { created_at: june }).created_at),
    },
  )
  expect(applied[1]).toMatchObject({ events: [{ event: "changed", transfer: { id: "a" } }], missing: [] })
})
