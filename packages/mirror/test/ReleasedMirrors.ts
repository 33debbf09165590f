/**
 * Mirrors as the releases made them: a file of SQLite, and a dump of PostgreSQL. Those of the coming release are in a folder
 * `next`, which the release renames to its version; from then on they never change.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPage from "@transferkit/domain/TransferPage"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Postgres from "../../../scripts/test/Postgres.ts"
import * as Driver from "../src/internal/Driver.ts"
import * as MirrorSync from "../src/MirrorSync.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

/** The folder of all releases. */
export const folder = join(import.meta.dirname, "released")

/** What the service sent to the partner of these mirrors. */
export const partner_id = "demo"

/** The transfers behind the mirrors of a release. */
export const sent = (release: string): ReadonlyArray<Transfer> =>
  Result.getOrThrow(TransferPage.fromJson(readFileSync(join(folder, release, "sent.json"), "utf8"))).results

/** When those of the coming release were loaded, so that they are the same each time. */
const loadedAt = Date.parse("2026-11-24T00:00:00Z")

/** Writes those of the coming release: what was sent is what its other files have. Without PostgreSQL, its dump stays. */
export const writeNext = async (sentFile: string): Promise<void> => {
  const next = join(folder, "next")
  mkdirSync(next, { recursive: true })
  copyFileSync(sentFile, join(next, "sent.json"))
  const scratch = mkdtempSync(join(tmpdir(), "transfers-released-"))
  try {
    const file = join(scratch, "mirror.db")
    await writeSqlite(file)
    copyFileSync(file, join(next, "mirror.db"))
  } finally {
    rmSync(scratch, { recursive: true })
  }
  if (Postgres.binaries === undefined) return
  const server = await Postgres.start()
  try {
    const address = await server.createDatabase()
    const began = Date.now()
    await load(address)
    const text = dump(join(Postgres.binaries, "pg_dump"), address)
    writeFileSync(join(next, "mirror.pg.sql"), atLoad(text, { began, ended: Date.now() }))
  } finally {
    await server.stop()
  }
}

/** Writes the mirror of SQLite of the coming release to a file that is not there yet. */
export const writeSqlite = async (file: string): Promise<void> => {
  await load(`sqlite:${file}`)
  const database = new DatabaseSync(file)
  // Its default is SQLite's own clock.
  database
    .prepare("UPDATE mirror_migrations SET created_at = ?")
    .run(new Date(loadedAt).toISOString().replace("T", " ").slice(0, 19))
  // What was deleted would stay in the file.
  database.exec("VACUUM")
  database.close()
}

/** A service that has these transfers. */
export const service = (transfers: ReadonlyArray<Transfer>) => {
  const generator = TransferGenerator.make({ count: 0, seed: 1, partner: partner_id })
  const store = TransferStore.make({ order: "newest-first", generator })
  for (const transfer of transfers) Result.getOrThrow(TransferStore.insertJson(store, JSON.stringify(transfer)))
  return TransferPager.layer.pipe(Layer.provideMerge(Layer.succeed(TransferApi, InMemoryTransferApi.make({ store }))))
}

const load = (address: string): Promise<unknown> => {
  const layer = Layer.merge(service(sent("next")), TransferMirror.layer(address))
  const loaded = Effect.gen(function* () {
    yield* MirrorSync.sync({ partner_id })
    const { run } = Driver.of(yield* TransferMirror)
    // It names the machine.
    yield* run((sql) => sql`DELETE FROM sync_leases`)
    // It is random.
    yield* run((sql) => sql`UPDATE sync_runs SET state_id = kind`)
  })
  const provided = Effect.provide(loaded, layer)
  // PostgreSQL has a clock of its own, which must not be ahead of this one.
  if (address.startsWith("postgres")) return Effect.runPromise(provided)
  return provided.pipe(
    Effect.updateService(Clock.Clock, (clock): Clock.Clock =>
      Object.assign(Object.create(clock), { currentTimeMillis: Effect.succeed(loadedAt) }),
    ),
    Effect.runPromise,
  )
}

const day = 86_400_000

/** The instants of a load moved to {@link loadedAt}, and those of the day after it: PostgreSQL has a clock of its own. */
const atLoad = (text: string, { began, ended }: { readonly began: number; readonly ended: number }): string => {
  const moved = (millis: number): number | undefined =>
    [0, day].find((later) => millis >= began + later && millis <= ended + later)
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00)/g, (instant) => {
      const later = moved(Date.parse(instant.replace(/\+00$/, "Z")))
      return later === undefined ? instant : new Date(loadedAt + later).toISOString()
    })
    .replaceAll(/\b\d{16}\b/g, (micros) => {
      const later = moved(Math.trunc(Number(micros) / 1000))
      return later === undefined ? micros : String((loadedAt + later) * 1000)
    })
}

/** Without the commands of psql that newer versions add, which are different each time. */
const dump = (program: string, address: string): string =>
  execFileSync(program, ["--inserts", "--no-owner", "--no-privileges", "--no-comments", address], { encoding: "utf8" })
    .split("\n")
    .filter((line) => !/^(?:\\|--|$)/.test(line))
    .map((line) => `${line}\n`)
    .join("")
