import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { expect, test } from "vitest"
import { ParquetEncoder, valueColumns } from "../src/formats/ParquetEncoder.ts"
import type { TimeUnit } from "../src/formats/TimeUnit.ts"

test("puts transfers of several batches into one row group, until it is full", () => {
  const encoder = new ParquetEncoder({ widths: new Map(), units: new Map() })
  const parts = Array.from({ length: 7000 }, (_, index) =>
    encoder.add([
      Result.getOrThrow(
        Transfer.fromJson(`{"id":"${index}","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}`),
      ),
    ]),
  )
  const bytes = Uint8Array.from(Buffer.concat([...parts, encoder.close()]))
  expect(parquetMetadata(bytes.buffer).row_groups.map((group) => Number(group.num_rows))).toEqual([5000, 2000])
})

const transfers = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    Result.getOrThrow(
      Transfer.fromJson(`{"id":"${index}","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}`),
    ),
  )

test("returns a row group as soon as it is full, and keeps its bytes as others are written", async () => {
  const encoder = new ParquetEncoder({ widths: new Map(), units: new Map() })
  const all = transfers(5001)
  const before = encoder.add(all.slice(0, 4999))
  const full = encoder.add(all.slice(4999, 5000))
  const rest = [encoder.add(all.slice(5000)), encoder.close()]
  expect([before.length, full.length > 5000]).toEqual([4, true])
  const file = Uint8Array.from(Buffer.concat([before, full, ...rest])).buffer
  expect(parquetMetadata(file).row_groups.map((group) => Number(group.num_rows))).toEqual([5000, 1])
  const read = await parquetReadObjects({ file, columns: ["id"] })
  expect(read.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
})

test("writes no row group without rows", () => {
  const encoder = new ParquetEncoder({ widths: new Map(), units: new Map() })
  const file = Uint8Array.from(Buffer.concat([encoder.add(transfers(5000)), encoder.close()])).buffer
  expect(parquetMetadata(file).row_groups.map((group) => Number(group.num_rows))).toEqual([5000])
})

test("says of each value how it was written, and of a text nothing", async () => {
  const wire = {
    id: "tr_1",
    kind: "cash_in",
    status: "complete",
    created_at: "2024-09-01T00:00:00.50Z",
    updated_at: "2024-09-01T02:00:00+02:00",
    source_total: { amount: "1.10", currency_code: "fiat/USD" },
    service_fee: { amount: "1.10", currency_code: "fiat/USD" },
  }
  const widths = new Map([
    ["source_total_amount", { whole: 1, fraction: 2 }],
    ["service_fee_amount", { whole: 30, fraction: 9 }],
  ])
  const written = async (unit: TimeUnit) => {
    const encoder = new ParquetEncoder({ widths, units: new Map([["created_at", unit]]) })
    const bytes = [encoder.add([Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))]), encoder.close()]
    const [row] = await parquetReadObjects({ file: Uint8Array.from(Buffer.concat(bytes)).buffer, columns: ["written"] })
    const forms: ReadonlyArray<unknown> = JSON.parse(String(row?.["written"]))
    return Object.fromEntries(
      valueColumns.flatMap(({ name }, index) => (forms[index] === null ? [] : [[name, forms[index]]])),
    )
  }
  const forms = { created_at: 2, updated_at: "2024-09-01T02:00:00+02:00", source_total_amount: 2 }
  expect(await written("MICROS")).toEqual(forms)
  expect(await written("TEXT")).toEqual({ updated_at: forms.updated_at, source_total_amount: 2 })
})
