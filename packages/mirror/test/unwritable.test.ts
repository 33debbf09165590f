/** A SQLite mirror on a disk, or in a folder, that whoever reads it cannot write. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { TransferMirror } from "../src/TransferMirror.ts"
import * as Lab from "./Lab.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror?unwritable-"))
})
afterAll(async () => {
  await chmod(folder, 0o755)
  await rm(folder, { recursive: true })
})

/** What a reader prints who may write nothing, in a folder that the owner can write. */
const reader = (file: string) => {
  // Root may write everywhere.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const program = fileURLToPath(new URL("ReadProcess.ts", import.meta.url))
  const child = spawn(process.execPath, [program, `sqlite:${file}`], { ...other, stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => [(await lines.next()).value, (await lines.next()).value]
  return {
    first: next,
    again: () => {
      child.stdin.write("again\n")
      return next()
    },
    close: async () => {
      child.stdin.end()
      await once(child, "close")
    },
  }
}

test("can be read, though SQLite can make no files beside it, until it changes", async () => {
  const file = join(folder, "transfers.db")
  const lab = Lab.make(`sqlite:${file}`, { count: 40 })
  await Lab.sync(lab)
  await chmod(file, 0o644)
  await chmod(folder, 0o555)
  const before = reader(file)
  expect(await before.first()).toEqual(["40", "40"])
  expect(await before.again()).toEqual(["40", "40"])
  // Its owner syncs.
  await chmod(folder, 0o755)
  const wire = { id: "new", external_id: "order-new", kind: "cash_in", status: "complete" }
  Lab.ok(TransferStore.insert(lab.store, { ...wire, created_at: "2024-12-31T23:00:00Z" }))
  lab.now += 60_000
  await Lab.sync(lab)
  await chmod(folder, 0o555)
  const fault = expect.stringContaining("the file was changed or replaced since it was opened")
  expect(await before.again()).toEqual([fault, fault])
  await before.close()
  const reopened = reader(file)
  expect(await reopened.first()).toEqual(["41", "41"])
  await reopened.close()
})

test("is not read while a transaction of another program waits to be undone", async () => {
  const lab = Lab.make(`sqlite:${join(folder, "whole.db")}`, { count: 400 })
  await chmod(folder, 0o755)
  await Lab.sync(lab)
  // A backup keeps its transactions in a journal.
  const backup = join(folder, "backup.db")
  const whole = new DatabaseSync(join(folder, "whole.db"))
  whole.prepare("VACUUM INTO ?").run(backup)
  whole.close()
  const writer = new DatabaseSync(backup)
  writer.exec("PRAGMA cache_size = 5; BEGIN; UPDATE mirrored_transfers SET vanished_at = '2026-01-01T00:00:00.000Z'")
  const killed = join(folder, "killed.db")
  for (const ending of ["", "-journal"]) await copyFile(`${backup}${ending}`, `${killed}${ending}`)
  writer.exec("ROLLBACK")
  writer.close()
  const opened = Effect.provide(
    Effect.asVoid(TransferMirror),
    TransferMirror.layer(`sqlite:${killed}`, { readOnly: true }),
  )
  const { message } = await Effect.runPromise(Effect.flip(opened))
  expect(message).toContain("a program that wrote to it ended before it had finished, and a reader cannot undo that")
  const repaired = new DatabaseSync(killed)
  expect(repaired.prepare("SELECT count(*) AS n FROM transfers").get()).toEqual({ n: 400 })
  repaired.close()
})
