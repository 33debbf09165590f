/** No file that somebody has is lost to a flag that names an output. */
import { execFileSync } from "node:child_process"
import { copyFile, open, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import { afterEach, describe, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo } from "./Cli.ts"
import { close, useExports } from "./ClosedMonths.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

useExports()

const reconcile = (...args: ReadonlyArray<string>) =>
  run([
    ..."reconcile bank-09.csv --from september.ndjson --since 2024-09 --until 2024-09 --map date=day --grace 3".split(
      " ",
    ),
    ...args,
  ])

const report = (...args: ReadonlyArray<string>) =>
  run([
    "report",
    "--month",
    "2024-09",
    "--from",
    "september.ndjson",
    "--ledger",
    "bank-09.csv",
    "--map",
    "date=day",
    ...args,
  ])

describe("an output that would replace", () => {
  afterEach(async () => {
    for (const name of await readdir(".")) if (/^(?:mine|new)/.test(name)) await rm(name)
  })

  test.each([
    ["a mirror", "mine.db", "SQLite format 3"],
    ["a ledger", "mine.csv", "date,amount"],
    ["an export", "mine.ndjson", '{"id":"tr_1"}'],
    ["a manifest", "mine.json", '{\n  "transfers_export": 2\n}'],
    ["a key", "mine.pem", "-----BEGIN PRIVATE KEY-----"],
    ["a bank's statement", "mine.xml", '<?xml version="1.0" encoding="UTF-8"?>\n<Document/>'],
    ["a page in capitals", "mine.html", "<HTML>"],
  ])("%s is rejected, and it stays", async (_, name, text) => {
    await writeFile(name, text)
    for (const flag of ["--html", "--junit", "--write-open", "--write-accepted"]) {
      const { code, stderr } = await reconcile(flag, name)
      expect({ code, stderr }, flag).toEqual({
        code: 2,
        stderr: expect.stringContaining(`${name}: another kind of file`),
      })
    }
    const { code } = await report("--html", "new.html", "--write-open", name)
    expect(code).toBe(2)
    expect(await readFile(name, "utf8")).toBe(text)
  })

  test("what the command reads is rejected before it is read", async () => {
    await copyFile("september.ndjson", "mine.ndjson")
    const before = await readFile("september.ndjson", "utf8")
    for (const flag of ["--html", "--junit", "--write-open", "--write-accepted"]) {
      for (const input of ["bank-09.csv", "september.ndjson"]) {
        const { code, stdout, stderr } = await reconcile(flag, input)
        expect({ code, stdout }, flag).toEqual({ code: 2, stdout: "" })
        expect(stderr).toContain(`this command reads it, and ${flag} would replace it: name another`)
      }
    }
    for (const args of [
      ["export", "--from", "mine.ndjson", "--out", "./mine.ndjson", "--force"],
      ["report", "--month", "2024-09", "--from", "mine.ndjson", "--html", "mine.ndjson"],
      [
        "close",
        "--month",
        "2024-09",
        "--from",
        "mine.ndjson",
        "--ledger",
        "bank-09.csv",
        "--out",
        "mine.ndjson",
        "--force",
      ],
    ]) {
      const { code, stderr } = await run(args)
      expect({ code, stderr }, args[0]).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("this command reads it"),
      })
    }
    expect(await readFile("mine.ndjson", "utf8")).toBe(before)
    const certified = await run(["certify", "--against", "bank-09.csv", "--out", "bank-09.csv"], {
      env: demo("http://127.0.0.1:1"),
    })
    expect(certified).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("this command reads it, and --out would"),
    })
  })

  test.each(["spool", "lock"])(
    "a file with the name of the %s of an export is rejected, and it stays",
    async (kind) => {
      const beside = `mine.csv.${kind}`
      await writeFile(beside, "precious\n")
      for (const flags of [[], ["--resume"], ["--force"]]) {
        const { code, stdout, stderr } = await run([
          "export",
          "--from",
          "september.ndjson",
          "--out",
          "mine.csv",
          ...flags,
        ])
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
        expect(stderr).toContain("would be lost")
      }
      expect(await readFile(beside, "utf8")).toBe("precious\n")
      expect(await readdir(".")).not.toContain("mine.csv")
    },
  )

  test.each([
    "mine.csv.manifest.json",
    "mine.csv.Manifest.JSON",
    "mine.csv.spool",
    "mine.csv.lock",
    "mine.db-wal",
    "mine.db-shm",
    "mine.db-journal",
  ])("a file beside a mirror or an export is rejected: %s", async (name) => {
    await copyFile("september.ndjson", name)
    const flags = ["--from", "september.ndjson", "--format", "csv", "--force"]
    for (const failed of [
      await run(["export", "--out", name, ...flags]),
      await reconcile("--html", name),
      await report("--html", "new.html", "--write-open", name),
    ]) {
      expect(failed).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/: names that end in [.-]\S+ are for the files beside a mirror or an export/),
      })
    }
    expect(await readFile(name)).toEqual(await readFile("september.ndjson"))
  })

  test("another output is rejected before anything is written", async () => {
    for (const flag of ["--junit", "--write-open", "--write-accepted"]) {
      const { code, stderr } = await reconcile("--html", "new", flag, "./new")
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("name the same file: give each its own"),
      })
    }
    expect(await readdir(".")).not.toContain("new")
  })

  test("an accepted file with reasons is rejected, unless the draft keeps them", async () => {
    await reconcile("--write-accepted", "mine.json")
    // A draft in which nothing was filled in yet.
    expect((await reconcile("--write-accepted", "mine.json")).code).toBe(1)
    const { breaks, ...rest } = JSON.parse(await readFile("mine.json", "utf8"))
    const until = { reason: "bank rounds", by: "controller", at: "2024-10-02", until: "2024-10-31" }
    const filled = JSON.stringify({ ...rest, breaks: breaks.map((one: object) => ({ ...one, ...until })) })
    await writeFile("mine.json", filled)
    const { code, stdout, stderr } = await reconcile("--write-accepted", "mine.json", "--html", "new.html")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(
      "mine.json: it has reasons that a draft would lose: name another file, or keep them with --accepted mine.json",
    )
    expect(await readFile("mine.json", "utf8")).toBe(filled)
    expect((await reconcile("--accepted", "mine.json", "--write-accepted", "mine.json")).code).toBe(0)
    expect(JSON.parse(await readFile("mine.json", "utf8"))).toEqual(JSON.parse(filled))
  })
})

describe("an export", () => {
  test("does not replace a file that appears while it runs", async () => {
    await using fake = await startFakeServer({
      transfers: 10,
      latency: { from: Duration.millis(500), to: Duration.millis(501) },
    })
    const exporting = run(["export", "--out", "appears.ndjson"], { env: demo(fake.url) })
    await Waiting.until(async () => (await readdir(".")).includes("appears.ndjson.spool"))
    await writeFile("appears.ndjson", "theirs")
    expect(await exporting).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it appeared in the meantime, and is not replaced"),
    })
    expect(await readFile("appears.ndjson", "utf8")).toBe("theirs")
    expect(await readdir(".")).not.toContain("appears.ndjson.manifest.json")
    await rm("appears.ndjson")
    const { code } = await run(["export", "--out", "appears.ndjson", "--resume"], { env: demo(fake.url) })
    expect(code).toBe(0)
  })

  test.each(["pipe.csv", "pipe.csv.manifest.json", "pipe.csv.sql"])(
    "sends no request if %s is a pipe",
    async (name) => {
      await using fake = await startFakeServer({ transfers: 10 })
      execFileSync("mkfifo", ["-m", "600", name])
      const args = ["export", "--out", "pipe.csv", "--force", "--create-table"]
      const { code, stderr } = await run(args, { env: demo(fake.url) })
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `error: ${name}: it is a device, a pipe or a socket: name a file\n`,
      })
      expect(await Fake.journal(fake.url)).toEqual([])
      await rm(name)
    },
  )

  test.each(["appears.csv.manifest.json", "appears.csv.sql"])("is not made if %s is another file", async (beside) => {
    await writeFile(beside, "theirs")
    const { code, stderr } = await run([
      "export",
      "--from",
      "september.ndjson",
      "--out",
      "appears.csv",
      "--create-table",
    ])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${beside}: another kind of file`),
    })
    expect(await readdir(".")).not.toContain("appears.csv")
    await rm(beside)
    await rm("appears.csv.spool", { force: true })
  })
})

describe("a close", () => {
  test("is not made beside another of its name, nor in place of a bundle that appears", async () => {
    execFileSync("mkfifo", ["pipe.csv"])
    const args = [
      "close",
      "--month",
      "2024-09",
      "--from",
      "september.ndjson",
      "--ledger",
      "pipe.csv",
      "--map",
      "date=day",
    ]
    const closing = run([...args, "--out", "appears.zip"])
    const pipe = await open("pipe.csv", "w")
    // The ledger is being read, so what is at the place was looked at before.
    const second = await close("09", "--out", "appears.zip")
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining("appears.zip: ") })
    expect(second.stderr).toContain("has been writing it since")
    await writeFile("appears.zip", "theirs")
    await pipe.writeFile(await readFile("bank-09.csv"))
    await pipe.close()
    expect(await closing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it appeared in the meantime, and is not replaced"),
    })
    expect(await readFile("appears.zip", "utf8")).toBe("theirs")
  })
})
