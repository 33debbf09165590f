/** What opening a mirror says when it cannot be used. */
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Driver from "../src/internal/Driver.ts"
import { type Options, TransferMirror } from "../src/TransferMirror.ts"

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror-open-"))
  file = join(folder, "transfers.db")
})
afterEach(() => rm(folder, { recursive: true }))

const run = <A, E>(
  use: (mirror: TransferMirror["Service"]) => Effect.Effect<A, E>,
  options: Options = {},
): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(TransferMirror, use), TransferMirror.layer(file, options)))
const failing = (options: Options = {}) =>
  Effect.runPromise(Effect.flip(Effect.provide(TransferMirror, TransferMirror.layer(file, options))))

test("a database of another program is left as it is, and named", async () => {
  const db = new DatabaseSync(file)
  db.exec("CREATE TABLE mirrored_transfers (colour TEXT); INSERT INTO mirrored_transfers VALUES ('red')")
  db.close()
  const error = await failing()
  expect(error).toMatchObject({ _tag: "MirrorError", mirror: `sqlite:${file}` })
  expect(error.message).toContain("its mirrored_transfers is not the table of a mirror")
  using again = new DatabaseSync(file)
  expect(again.prepare("SELECT * FROM mirrored_transfers").all()).toMatchObject([{ colour: "red" }])
})

test("a file that is no database is named, with the reason in one sentence", async () => {
  await writeFile(file, "not a database, but long enough to look like the header of one\n".repeat(20))
  const error = await failing({ readOnly: true })
    .then(() =>
      run((mirror) => Effect.flip(Driver.of(mirror).run((sql) => sql`SELECT 1 FROM transfers`)), { readOnly: true }),
    )
    .catch((failure: unknown) => failure)
  expect(String(error)).toContain("file is not a database")
})

test("a reader finds no mirror where there is none, and makes none", async () => {
  const error = await failing({ readOnly: true })
  expect(error.message).toBe(`sqlite:${file}: there is no such file. transfers sync --to ${file} creates it.`)
})

test("opening a mirror again changes nothing, and one without sums loses its sums", async () => {
  const objects = (mirror: TransferMirror["Service"]) =>
    Driver.of(mirror).run((sql) => sql<{ readonly name: string }>`SELECT name FROM sqlite_schema ORDER BY name`)
  const first = await run(objects)
  expect(await run(objects)).toEqual(first)
  const without = await run(objects, { sums: false })
  expect(first.filter(({ name }) => !without.some((one) => one.name === name))).toEqual([
    { name: "daily_totals" },
    { name: "fees_by_currency" },
  ])
})

test("rejects two statements in one, but not what follows in a comment, nor an empty statement", async () => {
  const query = (text: string) => run((mirror) => Driver.of(mirror).run((sql) => sql.unsafe(text)))
  expect(await query("SELECT 1 AS one; -- and no more; really\n ;\n")).toEqual([{ one: 1n }])
  await expect(query("SELECT 1; SELECT 2")).rejects.toThrow("one statement at a time: something follows the first")
  await expect(query("SELECT 1; -- a comment\nSELECT 2")).rejects.toThrow("one statement at a time")
})

test("runs a statement again, for objects as for arrays", async () => {
  await run((mirror) =>
    Effect.gen(function* () {
      for (let round = 0; round < 2; round++) {
        expect(yield* Driver.of(mirror).run((sql) => sql.unsafe("SELECT 1 AS n"))).toEqual([{ n: 1n }])
        expect(yield* Driver.of(mirror).run((sql) => sql.unsafe("SELECT 1 AS n").values)).toEqual([[1n]])
      }
    }),
  )
  expect.assertions(4)
})

test("a mirror that is made belongs to its owner alone, and one that is there keeps its mode", async () => {
  await run((mirror) => Driver.of(mirror).run((sql) => sql`UPDATE mirror_clock SET last_us = 1`))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await run((mirror) =>
    Effect.gen(function* () {
      yield* Driver.of(mirror).run((sql) => sql`UPDATE mirror_clock SET last_us = 2`)
      for (const other of ["-wal", "-shm"]) {
        const { mode } = yield* Effect.promise(() => stat(`${file}${other}`))
        expect(mode & 0o777).toBe(0o600)
      }
    }),
  )
  await chmod(file, 0o640)
  await run(() => Effect.void)
  expect((await stat(file)).mode & 0o777).toBe(0o640)
})

test("a file that another program is writing to may be free for another attempt", async () => {
  await run(() => Effect.void)
  using other = new DatabaseSync(file)
  other.exec("BEGIN IMMEDIATE")
  const written = run((mirror) =>
    Driver.of(mirror).run((sql) =>
      Effect.andThen(sql`PRAGMA busy_timeout = 0`, sql`UPDATE mirror_clock SET last_us = 1`),
    ),
  )
  await expect(written).rejects.toMatchObject({ kind: "unavailable", isRetryable: true, reason: "database is locked" })
})

/** Writes in a transaction while another program writes. */
const writing = (mirror: TransferMirror["Service"]) =>
  Driver.of(mirror).run((sql) => sql.withTransaction(sql`UPDATE mirror_clock SET last_us = last_us`))

test("a transaction waits for another program that writes, and a signal can end the wait", async () => {
  await run(() => Effect.void)
  using other = new DatabaseSync(file)
  other.exec("BEGIN IMMEDIATE")
  await run((mirror) =>
    Effect.gen(function* () {
      const started = Date.now()
      expect(yield* Effect.timeoutOption(writing(mirror), "100 millis")).toEqual(Option.none())
      expect(Date.now() - started).toBeLessThan(2000)
      const waiting = yield* Effect.forkChild(writing(mirror))
      yield* Effect.sleep("100 millis")
      other.exec("COMMIT")
      expect(yield* Fiber.join(waiting)).toEqual([])
    }),
  )
})
