import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { parquetMetadata } from "hyparquet"
import { expect, test } from "vitest"
import { ParquetEncoder } from "../src/formats/ParquetEncoder.ts"

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
