/** Whose transfers a mirror has: those of another service are never added to them. */
import * as Origin from "@transferkit/domain/Origin"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as MirrorStart from "../../src/MirrorStart.ts"
import * as MirrorState from "../../src/MirrorState.ts"
import * as MirrorSync from "../../src/MirrorSync.ts"
import * as MirrorWorkers from "../../src/MirrorWorkers.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

const { partner_id } = Lab
const [here, there] = ["http://a/", "http://b"].map((url) => Lab.ok(Origin.make(url, partner_id)))

export const originSuite = (database: Database) => {
  describe(`the origin of a mirror in ${database.name}`, () => {
    const lab = async (origin: Origin.Origin | undefined) =>
      Object.assign(Lab.make(await database.fresh(), { count: 60 }), { origin })
    const stored = (one: Lab.Lab) => Lab.run(one, MirrorState.origin(partner_id))
    const elsewhere = {
      _tag: "MirrorError",
      reason: "it has the transfers of demo at http://b, not at http://a: use another mirror for these",
    }

    test("is stored by the first sync, and kept by the next", async () => {
      const one = await lab(here)
      expect(await stored(one)).toBeUndefined()
      await Lab.sync(one)
      await Lab.sync(one)
      expect(await stored(one)).toEqual({ base_url: "http://a", partner_id })
    })

    test("keeps another service with the same partner id out: a sync, a verification, a worker, a watch", async () => {
      const one = await lab(there)
      await Lab.sync(one)
      const before = await Lab.mirrored(one)
      one.origin = here
      one.searches = 0
      const from = Timestamp.parseUnsafe("2024-06-01T00:00:00Z")
      for (const attempt of [
        MirrorSync.sync({ partner_id }),
        MirrorSync.verify({ partner_id }),
        MirrorWorkers.work({ partner_id, worker: "w", lease: Duration.seconds(1) }),
        MirrorStart.begin({ partner_id, from, watermark: from, known: [] }),
      ]) {
        expect(await Lab.run(one, Effect.flip(Effect.asVoid(attempt)))).toMatchObject(elsewhere)
      }
      expect(one.searches).toBe(0)
      expect(await Lab.mirrored(one)).toEqual(before)
      expect(await Lab.query(one, "SELECT id FROM transfer_changes WHERE event = 'vanished'")).toEqual([])
    })

    test("that came while a worker waited ends the worker, and its windows stay with the others", async () => {
      const waiting = await lab(here)
      const loading = Object.assign(Lab.make(waiting.address, { count: 60 }), { origin: there })
      const ended = Lab.run(
        waiting,
        Effect.flip(Effect.asVoid(MirrorWorkers.work({ partner_id, worker: "w", lease: Duration.seconds(1) }))),
      )
      // Until it has taken one of the windows, those of the other service stand still.
      loading.onSearch = async () => void (loading.searches > 20 && (await ended))
      await Lab.run(loading, MirrorSync.sync({ partner_id, workers: Effect.void }))
      expect(await ended).toMatchObject(elsewhere)
      expect(waiting.searches).toBe(0)
      expect(await Lab.mirrored(loading)).toEqual(Lab.served(loading))
    })

    test("is not written by a sync that cannot read its service: no partner is left behind", async () => {
      const one = await lab(here)
      one.capabilities = Effect.fail(new ServiceUnavailable({ status: 503, errors: [] }))
      expect(await Lab.run(one, Effect.flip(MirrorSync.sync({ partner_id })))).toMatchObject({
        _tag: "ServiceUnavailable",
      })
      expect(
        await Lab.run(
          one,
          Effect.flatMap(TransferMirror, ({ partners }) => partners),
        ),
      ).toEqual([])
    })

    test("is that of a watch from its first transaction", async () => {
      const one = await lab(here)
      const from = Timestamp.parseUnsafe("2024-06-01T00:00:00Z")
      await Lab.run(one, MirrorStart.begin({ partner_id, from, watermark: from, known: [] }))
      expect(await stored(one)).toEqual({ base_url: "http://a", partner_id })
    })

    test.each(["x", "http://a/"])("of megabytes, which begins with %s, is not repeated", async (begins) => {
      const one = await lab(here)
      await Lab.sync(one)
      await Lab.query(
        one,
        `UPDATE sync_state SET value = '${begins.padEnd(3_000_000, "x")}' WHERE name = 'base_url'`,
        {},
      )
      for (const read of [
        Effect.asVoid(MirrorState.origin(partner_id)),
        Effect.asVoid(MirrorSync.sync({ partner_id })),
      ]) {
        const { message } = await Lab.run(one, Effect.flip(read))
        expect(message).toContain(
          'the row of sync_state with partner_id "demo" and name "base_url" has a value of more',
        )
        expect(message.length).toBeLessThan(400)
      }
    })

    test("that is no base URL is an error that names it", async () => {
      const one = await lab(here)
      await Lab.sync(one)
      await Lab.query(one, "UPDATE sync_state SET value = 'bogus' WHERE name = 'base_url'", {})
      expect(await Lab.run(one, Effect.flip(MirrorState.origin(partner_id)))).toMatchObject({
        _tag: "MirrorError",
        reason: 'it is damaged: "bogus" is not a base URL such as https://api.example.com.',
      })
    })
  })
}
