import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"

test("plan widens a bound within a second and says so", () => {
  const at = Timestamp.parseUnsafe("2024-09-01T00:00:00.5Z")
  expect(CreatedAt.explain(CreatedAt.plan(CreatedAt.lte(at)))).toBe(
    "1 request\n  1. created_at=lt:2024-09-01T00:00:01Z, then keep lte:2024-09-01T00:00:00.5Z",
  )
})
