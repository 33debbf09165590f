/** Rows that somebody has edited: whoever reads them gets an error of the mirror that names the row. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as Driver from "../../src/internal/Driver.ts"
import * as MirrorCoverage from "../../src/MirrorCoverage.ts"
import { MirrorError } from "../../src/MirrorError.ts"
import * as MirrorMonths from "../../src/MirrorMonths.ts"
import * as MirrorState from "../../src/MirrorState.ts"
import * as MirrorStatus from "../../src/MirrorStatus.ts"
import * as MirrorSummary from "../../src/MirrorSummary.ts"
import * as MirrorTransferApi from "../../src/MirrorTransferApi.ts"
import * as MirrorTransferSource from "../../src/MirrorTransferSource.ts"
import * as TransferEvents from "../../src/TransferEvents.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab

/** What reads the transfers, their past, and what is known of a sync. */
const readers = {
  source: Effect.flatMap(MirrorTransferSource.make({ partner_id }), ({ transfers }) => Stream.runDrain(transfers({}))),
  api: Effect.flatMap(MirrorTransferApi.make({ partner_id }), ({ search }) => search({})),
  months: Effect.flatMap(MirrorMonths.changed(partner_id, undefined), (months) =>
    Effect.forEach(months, (month) => Stream.runDrain(MirrorMonths.rows(partner_id, month))),
  ),
  coverage: MirrorCoverage.read({ partner_id }),
  status: MirrorStatus.read(),
  summary: MirrorSummary.summarize({ partner_id, by: ["currency"] }),
  capabilities: MirrorState.capabilities(partner_id),
  events: TransferEvents.pending(partner_id),
} as const

const deep = `{"id":"x","x":${"[".repeat(500)}${"]".repeat(500)}}`

export const editedSuite = (database: Database) => {
  describe(`edited rows in ${database.name}`, () => {
    const edited = async (...statements: ReadonlyArray<string>) => {
      const lab = Lab.make(await database.fresh(), { count: 20 })
      await Lab.sync(lab)
      await Lab.sync(lab)
      for (const statement of statements) {
        await Lab.run(
          lab,
          Effect.flatMap(TransferMirror, (mirror) => Driver.of(mirror).run((sql) => sql.unsafe(statement))),
        )
      }
      return lab
    }
    const state = (name: string, value: string) =>
      `INSERT INTO sync_state (partner_id, name, value) VALUES ('${partner_id}', '${name}', '${value}')
      ON CONFLICT (partner_id, name) DO UPDATE SET value = excluded.value`
    const body = (text: string) => `UPDATE mirrored_transfers SET body = '${text}'`

    const filled = database.name === "SQLite" ? "printf('%.*c', 34000000, 'x')" : "repeat('x', 34000000)"
    const long = `UPDATE mirrored_transfers SET body = '{"id":"' || ${filled} || '"}' WHERE id = (SELECT MIN(id) FROM mirrored_transfers)`

    test.each<[string, keyof typeof readers, string, RegExp]>([
      ["nested too deep", "source", body(deep), /the row of mirrored_transfers with id ".*" has a body/],
      ["nested too deep", "api", body(deep), /the row of mirrored_transfers with id ".*" has a body/],
      [
        "longer than a line",
        "source",
        long,
        /the row of mirrored_transfers with id ".*" has a body of more than 32 MiB/,
      ],
      [
        "longer than a line",
        "months",
        long,
        /the row of mirrored_transfers with id ".*" has a body of more than 32 MiB/,
      ],
      ["longer than a line", "api", long, /the row of mirrored_transfers with id ".*" has a body of more than 32 MiB/],
      ["of another shape", "source", body("{}"), /the row of mirrored_transfers with id ".*" has a body/],
      ["of another shape", "months", body("{}"), /the row of mirrored_transfers with id ".*" has a body/],
      ["of another shape", "api", body("{}"), /the row of mirrored_transfers with id ".*" has a body/],
      [
        "a watermark",
        "status",
        state("watermark", "soon"),
        /of sync_state with .*name "watermark" has a value that is no number/,
      ],
      [
        "a watermark of 40 digits",
        "status",
        state("watermark", "9".repeat(40)),
        /name "watermark" has a value that is no n/,
      ],
      [
        "a watermark of 2^63",
        "status",
        state("watermark", `${2n ** 63n}`),
        /name "watermark" has a value that is no n/,
      ],
      [
        "a delivered of 40 digits",
        "events",
        state("delivered", "9".repeat(40)),
        /name "delivered" has a value that is no n/,
      ],
      ...["9223372036854775807", "-9223372036854775807 - 1"].flatMap((last) =>
        (["coverage", "status"] as const).map((reader): [string, keyof typeof readers, string, RegExp] => [
          `a clock of ${last}`,
          reader,
          `UPDATE mirror_clock SET last_us = ${last}`,
          /the row of mirror_clock with singleton "1" has a last_us that is no instant/,
        ]),
      ),
      [
        "a lease without end",
        "status",
        "UPDATE sync_leases SET expires_us = 9223372036854775807",
        /the row of sync_leases with partner_id "demo" has an expires_us that is no instant/,
      ],
      ["a floor", "coverage", state("floor", "1.5"), /name "floor" has a value that is no number/],
      ...["soon", "", "2024-10-01T00:00:00Z soon", "x".repeat(3000)].flatMap((value) =>
        (["coverage", "status"] as const).map((reader): [string, keyof typeof readers, string, RegExp] => [
          `a doubt of ${value.length} characters`,
          reader,
          state("doubted", value),
          /the row of sync_state with .*name "doubted" has a value that is no list of seconds, nor "all": restore it/,
        ]),
      ),
      ["a progress", "status", state("reread", "{}"), /name "reread" has a value that is no progress/],
      [
        "capabilities",
        "capabilities",
        state("capabilities", "{}"),
        /name "capabilities" has a value that cannot be read as cap/,
      ],
      [
        "a pass",
        "coverage",
        "UPDATE sync_runs SET started_at = 'then'",
        /sync_runs with .* "then" has a started_at that is/,
      ],
      [
        "a pass",
        "status",
        "UPDATE sync_runs SET started_at = 'then'",
        /sync_runs with .* "then" has a started_at that is/,
      ],
      [
        "a currency",
        "summary",
        "UPDATE transfer_totals SET totals = REPLACE(totals, '/', '-')",
        /row of transfer_totals with created_day ".*" and status ".*" has totals that cannot be read/,
      ],
    ])("%s, read by %s", async (_, reader, statement, named) => {
      const lab = await edited(statement)
      const read: Effect.Effect<unknown, unknown, TransferMirror> = readers[reader]
      const failure = await Lab.run(lab, Effect.flip(read), { readOnly: true })
      expect(String(Object(failure).message)).toMatch(named)
      // The client of a service has errors of a service.
      if (reader === "api") return
      const error: unknown = Object(failure).cause ?? failure
      expect(error).toBeInstanceOf(MirrorError)
      expect(error).toMatchObject({ kind: "rejected" })
    })

    test("a clock at the end of all instants, which a sync would count on", async () => {
      const lab = await edited("UPDATE mirror_clock SET last_us = 9223372036854775807")
      await expect(Lab.sync(lab)).rejects.toMatchObject({
        kind: "rejected",
        reason: expect.stringContaining("last_us"),
      })
    })

    test("a body of another shape, which a sync compares", async () => {
      const lab = await edited(body("{}"))
      await expect(Lab.sync(lab)).rejects.toMatchObject({ _tag: "MirrorError", kind: "rejected" })
    })

    test("a change that is no JSON, which a history shows", async () => {
      const lab = await edited()
      const [id = ""] = Lab.served(lab).keys()
      await Lab.run(
        lab,
        Effect.flatMap(TransferMirror, (mirror) =>
          Driver.of(mirror).run(
            (
              sql,
            ) => sql`INSERT INTO transfer_changes (partner_id, id, run_id, event, seen_at, changed, since_at, first_seen_at, created_ns, created_day, was_open)
              VALUES (${partner_id}, ${id}, 1, 'changed', '2025-01-02T00:00:00.000Z', 'no JSON', '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z', 0, '2024-01-01', 0)`,
          ),
        ),
      )
      const find = Effect.flatMap(TransferMirror, (mirror) => Effect.flip(mirror.find(id)))
      expect(await Lab.run(lab, find, { readOnly: true })).toMatchObject({
        kind: "rejected",
        reason: expect.stringMatching(/^the row of transfer_changes with id ".*" has a changed that is no JSON/),
      })
    })
  })
}
