import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as Workbook from "../src/formats/Workbook.ts"

test("rejects more rows than a sheet has", async () => {
  const rows = Array.from({ length: 1_048_576 }, () => ["x"])
  const written = Workbook.bytes(
    [{ name: "Rows", columns: [{ name: "a", kind: "text" }], rows: Stream.make(rows) }],
    "x",
  )
  await expect(Effect.runPromise(Stream.runDrain(written))).rejects.toThrow("at most 1048576 rows")
})
