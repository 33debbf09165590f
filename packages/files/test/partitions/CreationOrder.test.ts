import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import * as CreationOrder from "../../src/partitions/CreationOrder.ts"

const texts = [
  "2016-12-31T23:59:59Z",
  "2016-12-31T23:59:60Z",
  "2017-01-01T00:00:00Z",
  "2017-01-01T00:00:00.5Z",
  "2017-01-01T00:00:00.50Z",
  "2017-01-01T00:00:00.49Z",
  "2017-01-01t00:00:00Z",
  "2017-01-01T00:00:00z",
  "2016-12-31T23:59:59+00:00",
  "2017-01-01T01:00:00+02:00",
  "2017-01-01T00:00:00-00:30",
  "2016-12-31T22:59:60-01:00",
  "2017-01-01T00:00:00.25Z",
]

test("compare is the order of the instants and then of the ids, however times are written", () => {
  const placed = texts.flatMap((text) => ["a", "b"].map((id) => ({ id, created_at: Timestamp.parseUnsafe(text) })))
  for (const one of placed) {
    for (const other of placed) {
      const places = [CreationOrder.of(one), CreationOrder.of(other)] as const
      const expected = places[0] < places[1] ? -1 : Number(places[0] > places[1])
      expect(CreationOrder.compare(one, other), `${one.created_at.text} ${other.created_at.text}`).toBe(expected)
    }
  }
})
