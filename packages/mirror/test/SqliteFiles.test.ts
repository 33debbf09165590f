/** A SQLite mirror in a folder where others can write, too: whose the files are that SQLite opens. */
import { chmodSync, writeFileSync } from "node:fs"
import {
  chmod,
  chown,
  lchown,
  link,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import * as SqliteFiles from "../src/internal/SqliteFiles.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror-files-"))
  file = join(folder, "m.db")
})
afterEach(() => rm(folder, { recursive: true }))

const open = (readOnly = false) =>
  Effect.runPromise(Effect.provide(Effect.asVoid(TransferMirror), TransferMirror.layer(file, { readOnly })))
const reasonOf = (readOnly = false) => open(readOnly).then(() => "opened", String)

/** The first bytes of a log of SQLite. */
const wal = Buffer.from("377f0682", "hex")

const another = 65_534
/** Only root may give a file away; whoever else runs this is another user from now on. */
const belongsToAnother = async (path: string) => {
  if (process.getuid?.() === 0) await chown(path, another, another)
  else vi.spyOn(process, "geteuid").mockReturnValue(another)
}

describe.each(["-wal", "-shm", "-journal"])("a planted file m.db%s", (ending) => {
  const planted = async (mode: number) => {
    await writeFile(`${file}${ending}`, "")
    await chmod(`${file}${ending}`, mode)
  }

  test("that others can read keeps a mirror from being made", async () => {
    await planted(0o644)
    expect(await reasonOf()).toContain(`${file}${ending}, where SQLite keeps what is not yet in the file, is open to`)
    expect(await readdir(folder)).toEqual([`m.db${ending}`])
    await chmod(`${file}${ending}`, 0o600)
    expect(await reasonOf()).toBe("opened")
  })

  test("that others can read is rejected beside a mirror that they cannot, for writers and readers", async () => {
    await open()
    await planted(0o640)
    for (const readOnly of [false, true]) expect(await reasonOf(readOnly)).toContain(`chmod 600 ${file}${ending}`)
    await chmod(file, 0o640)
    for (const readOnly of [false, true]) expect(await reasonOf(readOnly)).toBe("opened")
  })

  test("of another user is rejected, with whose it is", async () => {
    await planted(0o600)
    await belongsToAnother(`${file}${ending}`)
    expect(await reasonOf()).toMatch(
      /m\.db-\w+, where .* belongs to another user \(uid \d+\): if no program .* remove it/,
    )
    expect(await readdir(folder)).toEqual([`m.db${ending}`])
  })

  test("that is a link, also a hard one, is rejected", async () => {
    await writeFile(join(folder, "kept"), "")
    await symlink(join(folder, "kept"), `${file}${ending}`)
    expect(await reasonOf()).toContain(
      `m.db${ending}, where SQLite keeps what is not yet in the file, is no file: remove it`,
    )
    await rm(`${file}${ending}`)
    await link(join(folder, "kept"), `${file}${ending}`)
    expect(await reasonOf()).toContain("has another name, too (a hard link): remove it")
  })
})

describe("a file of somebody's that has the name of one beside the mirror", () => {
  const lost = (ending: string) =>
    `${file}${ending}: another kind of file has this name, and would be lost: name another mirror, or move the file away`

  test.each(["-journal", "-wal", "-shm"])("m.db%s is rejected and kept, whatever its mode", async (ending) => {
    for (const mode of [0o600, 0o644]) {
      await writeFile(`${file}${ending}`, "my notes")
      await chmod(`${file}${ending}`, mode)
      expect(await reasonOf()).toContain(lost(ending))
    }
    expect(await readdir(folder)).toEqual([`m.db${ending}`])
    expect(await readFile(`${file}${ending}`, "utf8")).toBe("my notes")
  })

  test.each(["-journal", "-wal", "-shm"])("m.db%s is rejected and kept beside a mirror", async (ending) => {
    await open()
    await writeFile(`${file}${ending}`, "my notes", { mode: 0o600 })
    for (const readOnly of [false, true]) expect(await reasonOf(readOnly)).toContain(lost(ending))
    expect(await readFile(`${file}${ending}`, "utf8")).toBe("my notes")
  })

  test("is none if SQLite has made it: a journal or a log, also one of zeros beside a mirror", async () => {
    const journal = Buffer.from("d9d505f920a163d7", "hex")
    const zeros = Buffer.alloc(512)
    await writeFile(`${file}-journal`, zeros, { mode: 0o600 })
    expect(await reasonOf()).toContain(lost("-journal"))
    await rm(`${file}-journal`)
    await open()
    for (const [ending, bytes] of [
      ["-journal", journal],
      ["-journal", zeros],
      ["-wal", wal],
      ["-wal", Buffer.from("377f0683", "hex")],
      ["-wal", zeros],
    ] as const) {
      await writeFile(`${file}${ending}`, bytes, { mode: 0o600 })
      expect(await reasonOf()).toBe("opened")
    }
  })
})

test("a mirror of another user can be read, and is not written", async () => {
  await open()
  await chmod(file, 0o666)
  await belongsToAnother(file)
  expect(await reasonOf()).toMatch(/it belongs to another user \(uid \d+\), who could read what is written to it: name/)
  expect(await reasonOf(true)).toBe("opened")
})

test("a link to a mirror is the same mirror, and one that another user has made is not written", async () => {
  await open()
  const [mirror, other] = [file, join(folder, "other.db")]
  await symlink(mirror, other)
  file = other
  expect(await reasonOf()).toBe("opened")
  if (process.getuid?.() !== 0) return
  await lchown(other, another, another)
  expect(await reasonOf()).toContain("it is a link that belongs to another user (uid 65534)")
})

test("a link to nowhere is rejected with its target, which is not made", async () => {
  await symlink(join(folder, "target"), file)
  expect(await reasonOf()).toContain(`it is a link to ${join(folder, "target")}, where there is no file: give the path`)
  expect(await readdir(folder)).toEqual(["m.db"])
})

describe("what happens between the check and the first write", () => {
  const nothing = async () => {}
  /** What the second check says. */
  const found = async ({ before = nothing, after = nothing }) => {
    const check = SqliteFiles.prepare(file, false)
    await before()
    using db = new DatabaseSync(file)
    db.exec("PRAGMA journal_mode = WAL; SELECT 1 FROM sqlite_schema")
    await after()
    try {
      return check() ?? "nothing"
    } catch (error) {
      return String(error)
    }
  }
  const swap = async (path: string) => {
    await rename(path, `${path}.old`)
    await writeFile(path, "", { mode: 0o600 })
  }

  test("is nothing as a rule", async () => {
    expect(await found({})).toBe("nothing")
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test("is noticed if SQLite has found a log that others can read", async () => {
    await open()
    const before = async () => {
      await writeFile(`${file}-wal`, wal)
      await chmod(`${file}-wal`, 0o666)
    }
    expect(await found({ before })).toContain(`${file}-wal, where SQLite keeps what is not yet in the file, is open to`)
  })

  test.each(["", "-wal", "-shm"])("is noticed if m.db%s is another file after it was opened", async (ending) => {
    expect(await found({ after: () => swap(`${file}${ending}`) })).toMatch(/was replaced while it was opened/)
  })

  test("is noticed if the mirror, or what is beside it, has come or gone", async () => {
    expect(await found({ before: () => swap(file) })).toContain(`${file} was replaced while it was opened`)
    await Promise.all(["", "-wal", "-shm"].map((ending) => rm(`${file}${ending}`, { force: true })))
    expect(await found({ after: () => rm(`${file}-wal`) })).toContain(`${file}-wal was replaced while it was opened`)
  })

  test("keeps a mirror from being opened to write", async () => {
    await open()
    const exec = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, "exec")?.value
    vi.spyOn(DatabaseSync.prototype, "exec").mockImplementationOnce(function (this: DatabaseSync, sql) {
      writeFileSync(`${file}-wal`, wal)
      chmodSync(`${file}-wal`, 0o666)
      return exec.call(this, sql)
    })
    expect(await reasonOf()).toContain(`is open to users who may not open the mirror: chmod 600 ${file}-wal`)
  })
})
