/** A lock is held by one live process at a time; that of a dead one is taken over. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { beforeEach, describe, expect, test } from "vitest"
import * as FileLock from "../src/node/FileLock.ts"

let folder: string
let file: string
let lock: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-lock-"))
  file = join(folder, "out")
  lock = FileLock.pathOf(file)
  return () => rm(folder, { recursive: true })
})

const hold = (options?: Parameters<typeof FileLock.hold>[1]) => Effect.scoped(FileLock.hold(file, options))
const reasonOf = () => Effect.runPromise(Effect.map(Effect.flip(hold()), ({ reason }) => reason))

/** The number of a process that has ended. */
const deadPid = () => Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }))

const holder = { pid: process.pid, host: hostname(), since: "2024-09-01T00:00:00Z" }

test("is a file beside the locked one that names the process, until the scope ends", async () => {
  const during = await Effect.runPromise(
    Effect.scoped(
      Effect.andThen(
        FileLock.hold(file),
        Effect.promise(() => readFile(lock, "utf8")),
      ),
    ),
  )
  expect(JSON.parse(during)).toMatchObject({ pid: process.pid, host: hostname(), since: expect.any(String) })
  expect(await readdir(folder)).toEqual([])
})

test("that somebody has replaced by a folder is left to them, and what was done under it stands", async () => {
  const replaced = async () => {
    await rm(lock)
    await mkdir(join(lock, "theirs"), { recursive: true })
    return "done"
  }
  expect(await Effect.runPromise(Effect.scoped(Effect.andThen(FileLock.hold(file), Effect.promise(replaced))))).toBe(
    "done",
  )
  expect(await readdir(lock)).toEqual(["theirs"])
})

test("rejects a second holder with the process and the start of the first", async () => {
  const second = Effect.scoped(Effect.andThen(FileLock.hold(file), Effect.flip(hold())))
  expect((await Effect.runPromise(second)).reason).toMatch(
    new RegExp(`^process ${process.pid} has been writing it since \\d{4}-[^ ]*Z[.] Wait for it to end, or stop it[.]$`),
  )
})

test("waits for the first holder as long as it has patience", async () => {
  const order: Array<string> = []
  const first = Effect.scoped(
    Effect.gen(function* () {
      yield* FileLock.hold(file)
      const second = yield* Effect.forkDetach(
        Effect.tap(hold({ patience: "1 minute" }), () => Effect.sync(() => order.push("second"))),
      )
      yield* Effect.sleep("60 millis")
      order.push("first")
      return second
    }),
  )
  await Effect.runPromise(Effect.flatMap(first, Fiber.join))
  expect(order).toEqual(["first", "second"])
})

test("belongs to a process of another machine, whatever its number, until somebody removes it", async () => {
  await writeFile(lock, JSON.stringify({ ...holder, pid: deadPid(), host: "elsewhere" }))
  expect(await reasonOf()).toContain(` on elsewhere; if that process is gone, remove ${lock}. Wait for it`)
  expect(await readdir(folder)).toEqual(["out.lock"])
})

test("belongs to a live process that does not say when it started", async () => {
  await writeFile(lock, JSON.stringify(holder))
  expect(await reasonOf()).toContain(`process ${process.pid} has been writing it since 2024-09-01T00:00:00Z. Wait`)
})

test("removes what a process left that was killed while it took the lock over, but nothing of a live one", async () => {
  const breaking = FileLock.pathOf(lock)
  await writeFile(breaking, JSON.stringify({ ...holder, pid: deadPid() }))
  await Effect.runPromise(hold())
  expect(await readdir(folder)).toEqual([])
  await writeFile(breaking, JSON.stringify(holder))
  await Effect.runPromise(hold())
  expect(await readdir(folder)).toEqual(["out.lock.lock"])
})

describe("is taken over", () => {
  test("from a process that has ended", async () => {
    await writeFile(lock, JSON.stringify({ ...holder, pid: deadPid() }))
    await Effect.runPromise(hold())
    expect(await readdir(folder)).toEqual([])
  })

  test.runIf(process.platform === "linux")("from a process whose number another one has by now", async () => {
    await writeFile(lock, JSON.stringify({ ...holder, process_started: "1" }))
    await Effect.runPromise(hold())
    expect(await readdir(folder)).toEqual([])
  })

  test.runIf(process.platform === "linux")(
    "from a process that has ended, and that its parent does not reap",
    async () => {
      // The shell becomes a program that knows of no child.
      const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"])
      try {
        const [pid] = await once(parent.stdout, "data")
        const stateOf = () => readFile(`/proc/${Number(String(pid))}/stat`, "utf8")
        while (!/[)] Z /.test(await stateOf())) await new Promise((resolve) => setTimeout(resolve, 5))
        await writeFile(lock, JSON.stringify({ ...holder, pid: Number(String(pid)) }))
        await Effect.runPromise(hold())
        expect(await readdir(folder)).toEqual([])
      } finally {
        parent.kill()
      }
    },
  )

  test("if it is empty, as after a crash, but not at once", async () => {
    await writeFile(lock, "")
    const began = performance.now()
    await Effect.runPromise(hold())
    // Its owner may be about to write it.
    expect(performance.now() - began).toBeGreaterThan(1000)
    expect(await readdir(folder)).toEqual([])
  })
})

test.each(["precious\n", " ", "{", '{"pid":"x"}', '{"pid":1,"other":true}'])(
  "is not taken over if it holds %j, which is no lock: the error says what to do",
  async (text) => {
    await writeFile(lock, text)
    expect(await reasonOf()).toBe(
      `${lock} is not its lock, and would be lost: name another file, or move that one away`,
    )
    expect(await readFile(lock, "utf8")).toBe(text)
  },
)

test("of a dead process is not taken over while a live one is about to", async () => {
  const [stale, breaking] = [JSON.stringify({ ...holder, pid: deadPid() }), FileLock.pathOf(lock)]
  await writeFile(lock, stale)
  await writeFile(breaking, JSON.stringify(holder))
  const found = await Effect.runPromise(
    Effect.gen(function* () {
      const taking = yield* Effect.forkDetach(hold())
      yield* Effect.sleep("100 millis")
      const during = yield* Effect.promise(() => readFile(lock, "utf8"))
      yield* Effect.promise(() => rm(breaking))
      yield* Fiber.join(taking)
      return during
    }),
  )
  expect(found).toBe(stale)
  expect(await readdir(folder)).toEqual([])
})

describe("cannot be taken", () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["a folder", () => mkdir(lock), /is not a file|cannot be read/],
    ["a symbolic link", () => symlink(join(folder, "elsewhere"), lock), /is a symbolic link/],
    ["larger than a lock", () => writeFile(lock, "x".repeat(4097)), /is not a lock: it is too large/],
  ])("if it is %s, and says how to go on", async (_, make, fault) => {
    await make()
    const reason = await reasonOf()
    expect(reason).toMatch(fault)
    expect(reason).toContain(`its lock ${lock} `)
    expect(reason).toMatch(/If nothing is writing the file, remove the lock[.]$/)
  })

  test("if its folder is missing, and names the file", async () => {
    const missing = join(folder, "missing", "out")
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(FileLock.hold(missing))))
    const reason = `the folder ${dirname(missing)} does not exist. Create it, or choose another`
    expect(error).toMatchObject({ _tag: "FileError", path: missing, reason })
  })
})
