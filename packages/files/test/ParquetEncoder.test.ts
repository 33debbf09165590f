import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { expect, test } from "vitest"
import { ParquetEncoder, valueColumns } from "../src/formats/ParquetEncoder.ts"
import type { AmountForm } from "../src/formats/TransferFormat.ts"

test("puts transfers of several batches into one row group, until it is full", () => {
  const encoder = new ParquetEncoder()
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
  const encoder = new ParquetEncoder()
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
  const encoder = new ParquetEncoder()
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
    service_fee: { amount: "2.0", currency_code: "fiat/USD" },
  }
  const written = async (amounts: AmountForm) => {
    const encoder = new ParquetEncoder({ amounts })
    const bytes = [encoder.add([Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))]), encoder.close()]
    const [row] = await parquetReadObjects({ file: Uint8Array.from(Buffer.concat(bytes)).buffer, columns: ["written"] })
    const forms: ReadonlyArray<unknown> = JSON.parse(String(row?.["written"]))
    return Object.fromEntries(
      valueColumns.flatMap(({ name }, index) => (forms[index] === null ? [] : [[name, forms[index]]])),
    )
  }
  const times = { created_at: 2, updated_at: "2024-09-01T02:00:00+02:00" }
  expect(await written("decimal")).toEqual({ ...times, source_total_amount: 2, service_fee_amount: 1 })
  expect(await written("text")).toEqual(times)
})

test.each([
  ["99999999999999999999.999999999999999999", true],
  ["-99999999999999999999.999999999999999999", true],
  ["100000000000000000000", false],
  ["0.0000000000000000001", false],
])("as a decimal, an amount %s fits: %s; as text, each does", (amount, fits) => {
  const wire = {
    id: "tr_9",
    kind: "cash_in",
    status: "complete",
    created_at: "2024-09-01T00:00:00Z",
    source_total: { amount, currency_code: "fiat/USD" },
  }
  const transfer = Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))
  const add = () => new ParquetEncoder().add([transfer])
  if (fits) expect(add).not.toThrow()
  else {
    expect(add).toThrow(
      `transfer tr_9: source_total_amount ${amount} has more digits than the 20 before the point and the 18 after it that DECIMAL(38, 18) holds. Write all amounts as text: --amounts text`,
    )
  }
  expect(() => new ParquetEncoder({ amounts: "text" }).add([transfer])).not.toThrow()
})

test("has the same schema, whatever the transfers are", () => {
  const schemaOf = (...wires: ReadonlyArray<object>) => {
    const encoder = new ParquetEncoder()
    const parts = wires.map((wire) => encoder.add([Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))]))
    return parquetMetadata(Uint8Array.from(Buffer.concat([...parts, encoder.close()])).buffer).schema
  }
  const wire = { id: "a", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00.123456789Z" }
  const all = schemaOf()
  expect(schemaOf({ ...wire, source_total: { amount: "0.000000000000000001", currency_code: "fiat/USD" } })).toEqual(
    all,
  )
  expect(schemaOf({ ...wire, created_at: "9999-12-31T00:00:00Z", colour: "red" })).toEqual(all)
})
