import type * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import * as AuditParts from "../src/audit/AuditParts.ts"
import * as AuditTally from "../src/audit/AuditTally.ts"

test("the parts of an audit know whose transfers they are, and what came and is still to be found", () => {
  const at = (day: number) => Timestamp.parseUnsafe(`2024-09-0${day}T00:00:00Z`)
  const resume: Checkpoint.Checkpoint = {
    version: 2,
    origin: { base_url: "https://service.example", partner_id: "demo" },
    query: "CreatedAt(gte:2024-09-01T00:00:00Z lt:2024-09-09T00:00:00Z)",
    transfers: 7,
    remaining: [{ gte: at(5) }],
    strays: [{ id: "tr_1", created_at: at(8) }],
    given_up: [{ id: "tr_2", created_at: at(5) }],
  }
  const { strays, given_up, ...known } = { ...resume, transfers: 0 }
  const parts = AuditParts.split({ since: at(1), until: at(9), resume, tally: AuditTally.none }, 2)
  expect(parts.map((part) => part.resume)).toEqual([
    { ...known, remaining: [{ gte: at(5), lt: Timestamp.plus(at(7), 1000) }], given_up },
    { ...known, remaining: [{ gte: Timestamp.plus(at(7), 1000), lt: at(9) }], strays },
  ])
})
