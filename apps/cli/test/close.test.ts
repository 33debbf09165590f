/** Months are closed one after the other, each from the bundle of the one before; anybody can repeat a close. */
import { execFileSync } from "node:child_process"
import { createHash, generateKeyPairSync } from "node:crypto"
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"

let folder: string
const cwd = process.cwd()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-close-"))
  process.chdir(folder)
  const now = TwoMonths.later(transfers)
  const changed = now.map((one) => (one.external_id === "z" ? { ...one, status: "declined" } : one))
  let port = 0
  for (const [name, data] of [
    ["september", transfers],
    ["october", changed],
  ] as const) {
    // The same service at two times.
    await using fake = await startFakeServer({ data, port })
    port = Number(new URL(fake.url).port)
    await run(["export", "--out", `${name}.ndjson`], { env: demo(fake.url) })
  }
  await writeFile("bank-09.csv", TwoMonths.september)
  await writeFile(
    "bank-10.csv",
    TwoMonths.csv([
      ["a", 10, "10-03"],
      ["e", 50, "10-01"],
      ["old", 7, "10-07"],
    ]),
  )
})
afterAll(async () => {
  process.chdir(cwd)
  await rm(folder, { recursive: true })
})

const transfers = [TwoMonths.transfer("old", "7", "07-02"), ...TwoMonths.transfers].map((one) =>
  one.external_id === "d"
    ? one
    : { ...one, source_total_usd: { amount: `${one.source_total.amount}.5`, currency_code: "fiat/USD" } },
)

const close = async (month: "09" | "10", ...args: ReadonlyArray<string>) => {
  const from = month === "09" ? "september.ndjson" : "october.ndjson"
  const own = ["--ledger", `bank-${month}.csv`, "--map", "date=day", "--grace", "3"]
  const given = [
    ...(args.includes("--month") ? [] : ["--month", `2024-${month}`]),
    ...(args.includes("--from") ? [] : ["--from", from]),
  ]
  const { code, stdout, stderr } = await run(["close", ...given, ...own, "--output", "json", ...args])
  const json = code === 0 || code === 1 ? JSON.parse(stdout) : {}
  return {
    code,
    stderr,
    json,
    of: Object.fromEntries(
      (json.outcomes ?? []).map((line: { key: string; outcome: string }) => [line.key, line.outcome]),
    ),
  }
}

const verify = async (...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(["verify", ...args, "--output", "json"])
  const checks: ReadonlyArray<{ readonly check: string; readonly ok: boolean; readonly found: string }> =
    code === 0 || code === 1 ? JSON.parse(stdout).checks : []
  const { signature } = checks.length === 0 ? {} : JSON.parse(stdout)
  return { code, stderr, failed: checks.filter(({ ok }) => !ok).map(({ check }) => check), checks, signature }
}

/** A bundle of other files: as somebody else could make it. */
const repack = async (from: string, to: string, changes: Readonly<Record<string, string | undefined>>) => {
  await rm("unpacked", { recursive: true, force: true })
  await mkdir("unpacked/ledgers", { recursive: true })
  const files = { ...(await BundleFiles.read(from)), ...changes }
  for (const [name, text] of Object.entries(files))
    if (text !== undefined) await writeFile(join("unpacked", name), text, name === "close.sig" ? "latin1" : "utf8")
  await rm(to, { force: true })
  const names = Object.keys(files).filter((name) => files[name] !== undefined)
  execFileSync("python3", [
    "-c",
    "import sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n  for n in sys.argv[2:]: z.write('unpacked/'+n,n)",
    to,
    ...names,
  ])
}

describe("close", () => {
  test("P26: writes a bundle, and says with its exit code whether there are breaks", async () => {
    const { code, of, json } = await close("09", "--out", "september.zip")
    expect(code).toBe(1)
    expect(of).toEqual({
      a: "Expected",
      b: "NotSettled",
      c: "OtherPeriod",
      d: "Differs",
      e: "Expected",
      stray: "NotAtService",
    })
    expect(json.close).toEqual({
      file: "september.zip",
      month: "2024-09",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      changes: null,
    })
    const files = await BundleFiles.read("september.zip")
    expect(Object.keys(files)).toEqual([
      "close.json",
      "ledgers/bank-09.csv",
      "open-items.json",
      "others.ndjson",
      "reconciliation.json",
      "report.html",
      "settings.json",
      "transfers.ndjson",
    ])
    const manifest = JSON.parse(files["close.json"] ?? "")
    expect(manifest).toMatchObject({
      transfers_close: 1,
      month: "2024-09",
      as_of_day: "2024-09-30",
      time_zone: "+00:00",
      origin: { partner_id: "demo" },
    })
    expect(manifest.command.join(" ")).toBe(
      "transfers close --month 2024-09 --out september.zip --ledger bank-09.csv --from september.ndjson --map date=day --grace 3",
    )
    expect(JSON.parse(files["reconciliation.json"] ?? "")).toMatchObject({
      breaks: 3,
      totals: { Matched: { outcomes: 1 } },
      settings: { grace_days: 3 },
      // The valuations of z, a and e; that of d is missing, and c and f are of October.
      dollars: [
        { class: "settled", transfers: 4, unvalued: 1, total: { amount: "62.5", currency_code: "fiat/USD" } },
        { class: "open", transfers: 1, unvalued: 0, total: { amount: "20.5", currency_code: "fiat/USD" } },
      ],
    })
    expect(files["report.html"]).toContain("<h1>Close of 2024-09</h1>")
    const hash = createHash("sha256").update(TwoMonths.september).digest("hex")
    expect(files["report.html"]).toContain(`bank-09.csv, SHA-256 <code>${hash}</code>`)
  })

  test("P26: writes the same bytes again, but for close.json", async () => {
    await close("09", "--out", "again.zip")
    const { "close.json": first, ...before } = await BundleFiles.read("september.zip")
    const { "close.json": second, ...after } = await BundleFiles.read("again.zip")
    expect(after).toEqual(before)
    expect(second).not.toBe(first)
  })

  test("P27: starts the next month from it: carried items, acceptances, and what changed since", async () => {
    const { breaks, ...rest } = await draft()
    const accept = (one: object) => ({
      ...one,
      reason: "bank rounds",
      by: "controller",
      at: "2024-10-02",
      until: "2024-12-31",
    })
    await writeFile("accepted.json", JSON.stringify({ ...rest, breaks: breaks.map(accept) }))
    const september = await close("09", "--accepted", "accepted.json", "--out", "september.zip", "--force")
    expect(september).toMatchObject({ code: 0, json: { states: { new: 0, known: 3 } } })

    const { code, of, json } = await close("10", "--previous", "september.zip", "--out", "october.zip")
    expect(of).toEqual({ d: "Differs", stray: "NotAtService", f: "Expected", old: "OtherPeriod", b: "NotSettled" })
    // What b was accepted for is gone: it is settled now.
    expect({ code, states: json.states }).toEqual({ code: 1, states: { new: 1, known: 2, expired: 0, resolved: 1 } })
    expect(json.close.changes).toEqual({ month: "2024-09", added: 0, removed: 0, changed: 2 })
    const files = await BundleFiles.read("october.zip")
    const { transfers: changes } = JSON.parse(files["changes.json"] ?? "")
    expect(changes).toMatchObject([
      { id: "tr_z", changes: [{ field: "status", from: "complete", to: "declined" }] },
      { id: "tr_b", changes: [{ field: "status", from: "executing", to: "complete" }] },
    ])
    expect(files["report.html"]).toContain("Changed in 2024-09 since it was closed: 2 transfers")
    const before = await BundleFiles.read("september.zip")
    expect(files["carried.json"]).toBe(before["open-items.json"])
    expect(files["before.ndjson"]).toBe(before["transfers.ndjson"])
    expect(JSON.parse(files["close.json"] ?? "").previous).toEqual({
      month: "2024-09",
      sha256: september.json.close.sha256,
    })
    // The opening of October is what September left open.
    const open = JSON.parse(before["reconciliation.json"] ?? "").roll_forward
    const start = JSON.parse(files["reconciliation.json"] ?? "").roll_forward
    const of9 = (side: string) => open.find((line: { side: string }) => line.side === side).open_at_end
    for (const line of start) expect(line.open_at_start).toEqual(of9(line.side))
  })

  test("P28: is refused for what is not over, not whole, or of another base", async () => {
    const refusals = [
      [["--month", "2999-01"], "2999-01 is not over: close it from 2999-02-01 on"],
      [["--month", "2024-13"], "--month: expected a month, such as 2024-09"],
      [["--out", "september.zip"], "it exists, and a close is evidence"],
      [["--from", "bare.ndjson"], "does not say what it holds: it has no manifest"],
      [["--from", "complete.ndjson"], "holds only transfers of some status"],
      [["--from", "month.ndjson"], "lacks what was created 2024-09-28 to 2024-09-30"],
      [["--from", "month.ndjson", "--allow-incomplete"], "a close has no --allow-incomplete"],
      [["--previous", "october.zip"], "it closes 2024-10, and the month that follows it must be closed next"],
      [["--previous", "september.zip", "--amount", "source_subtotal"], "were kept with --amount source_total"],
      [
        ["--previous", "september.zip", "--time-zone", "Europe/Berlin"],
        "it closes 2024-09, and the month that follows",
      ],
      [["--previous", "bank-09.csv"], "it is no bundle that transfers close wrote"],
      [["--previous", "nope.zip"], '"nope.zip: no such file"'],
      [["--ledger", "empty.csv"], '"empty.csv: it has a header, but no rows'],
    ] as const
    await writeFile("empty.csv", TwoMonths.csv([]))
    await copyFile("october.ndjson", "bare.ndjson")
    await using fake = await startFakeServer({ data: transfers })
    await run(["export", "--status", "complete", "--out", "complete.ndjson"], { env: demo(fake.url) })
    await run(["export", "--since", "2024-10", "--until", "2024-11-03", "--out", "month.ndjson"], {
      env: demo(fake.url),
    })
    for (const [args, reason] of refusals) {
      const { code, stderr } = await close("10", ...(args[0] === "--out" ? [] : ["--out", "refused.zip"]), ...args)
      expect({ args, code, stderr: stderr.replaceAll("\n", " ") }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(reason),
      })
      await expect(stat("refused.zip")).rejects.toThrow("ENOENT")
    }
  })
})

const draft = async () => {
  const own = ["--since", "2024-09", "--until", "2024-09", "--map", "date=day", "--grace", "3"]
  await run(["reconcile", "bank-09.csv", "--from", "september.ndjson", ...own, "--write-accepted", "draft.json"])
  return JSON.parse(await readFile("draft.json", "utf8"))
}

describe("P26: verify", () => {
  test("repeats a close from its bundle alone, in another folder", async () => {
    await mkdir("elsewhere")
    for (const name of ["september.zip", "october.zip"]) {
      await copyFile(name, join("elsewhere", name))
      const { code, failed, checks } = await verify(join(folder, "elsewhere", name))
      expect({ code, failed }).toEqual({ code: 0, failed: [] })
      const again = checks.filter(({ check }) => check.endsWith(" made again")).map(({ check }) => check.split(".")[0])
      const changes = name === "october.zip" ? ["changes"] : []
      expect(again).toEqual(["open-items", "reconciliation", "report", ...changes])
    }
  })

  test.each([
    ["ledgers/bank-09.csv", (text: string) => text.replace("40.01", "40")],
    ["transfers.ndjson", (text: string) => text.replace('"40"', '"41"')],
    ["open-items.json", (text: string) => text.replace("stray", "strey")],
    ["report.html", (text: string) => text.replace("known", "new")],
  ])("finds a change of %s", async (name, change) => {
    const files = await BundleFiles.read("september.zip")
    await repack("september.zip", "tampered.zip", { [name]: change(files[name] ?? "") })
    expect(await verify("tampered.zip")).toMatchObject({ code: 1, failed: [name] })
    const { code, stderr } = await close("10", "--previous", "tampered.zip", "--out", "refused.zip")
    expect(code).toBe(2)
    expect(stderr).toContain(`its file ${name} is not what close.json says`)
  })

  test.each([
    ["september.zip", "open-items.json", "40.01", "40.02"],
    ["october.zip", "changes.json", "executing", "complete"],
    ["october.zip", "changes.json", '"changed": 2', '"changed": 1'],
  ])("finds that of %s a result, %s, was changed together with its hash", async (from, name, was, is) => {
    const { "close.json": manifest = "", [name]: text = "" } = await BundleFiles.read(from)
    const forged = text.replace(was, is)
    expect(forged).not.toBe(text)
    const { files, ...rest } = JSON.parse(manifest)
    const sha256 = createHash("sha256").update(forged).digest("hex")
    const bytes = Buffer.byteLength(forged)
    const other = files.map((file: { path: string }) => (file.path === name ? { ...file, bytes, sha256 } : file))
    await repack(from, "forged.zip", { [name]: forged, "close.json": JSON.stringify({ ...rest, files: other }) })
    expect(await verify("forged.zip")).toMatchObject({ code: 1, failed: [`${name} made again`] })
    if (from === "october.zip") return
    const { code, stderr } = await close("10", "--previous", "forged.zip", "--out", "refused.zip")
    expect({ code, stderr: stderr.replaceAll("\n", " ") }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`its ${name} is not what its other files give`),
    })
  })

  test("finds files that are missing or too many, and rejects what is no bundle", async () => {
    await repack("september.zip", "less.zip", { "report.html": undefined })
    expect(await verify("less.zip")).toMatchObject({ code: 1, failed: ["report.html"] })
    await repack("september.zip", "more.zip", { "more.txt": "x" })
    expect(await verify("more.zip")).toMatchObject({ code: 1, failed: ["more.txt"] })
    await repack("september.zip", "none.zip", { "close.json": undefined })
    const { code, stderr } = await verify("none.zip")
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("it has no close.json") })
    const { "close.json": manifest = "" } = await BundleFiles.read("september.zip")
    await repack("september.zip", "outside.zip", {
      "close.json": manifest.replace("ledgers/bank-09.csv", "../bank-09.csv"),
    })
    expect((await verify("outside.zip")).stderr).toContain("../bank-09.csv")
  })
})

describe("P26: a bundle without its ledgers", () => {
  test("has their hashes only, and is repeated by whoever has them, under any name", async () => {
    const whole = await close("09", "--out", "whole.zip")
    const { code, json } = await close("09", "--out", "bare.zip", "--without-ledgers")
    expect({ code, totals: json.totals }).toEqual({ code: 1, totals: whole.json.totals })
    const { "close.json": manifest = "", ...files } = await BundleFiles.read("bare.zip")
    const { "ledgers/bank-09.csv": ledger = "", "close.json": _, ...others } = await BundleFiles.read("whole.zip")
    expect(files).toEqual(others)
    const sha256 = createHash("sha256").update(ledger).digest("hex")
    expect(JSON.parse(manifest).files).toContainEqual(
      expect.objectContaining({ path: "ledgers/bank-09.csv", sha256, withheld: true }),
    )
    expect(JSON.parse(manifest).command).toContain("--without-ledgers")

    const unknown = await verify("bare.zip")
    expect(unknown).toMatchObject({ code: 1, failed: ["ledgers/bank-09.csv"] })
    expect(unknown.checks[0]?.found).toBe("withheld: give this ledger with --ledger")
    await copyFile("bank-09.csv", "renamed.txt")
    expect(await verify("bare.zip", "--ledger", "renamed.txt")).toMatchObject({ code: 0, failed: [] })
    const wrong = await verify("bare.zip", "--ledger", "bank-10.csv")
    expect(wrong).toMatchObject({ code: 1, failed: ["ledgers/bank-09.csv"] })
    expect(wrong.checks[0]?.found).toBe("withheld, and no --ledger has this SHA-256")
  })

  const refused = async (previous: string, ...args: ReadonlyArray<string>) => {
    const { code, stderr } = await close("10", "--previous", previous, "--out", "refused.zip", ...args)
    await expect(stat("refused.zip")).rejects.toThrow("ENOENT")
    expect(code).toBe(2)
    return stderr.replaceAll("\n", " ")
  }

  test("starts the next month with its ledgers, or with a signature that is valid", async () => {
    await keys("theirs")
    await close("09", "--out", "bare-signed.zip", "--without-ledgers", "--sign-key", "theirs.pem")
    for (const [previous, ...args] of [
      ["bare.zip", "--previous-ledger", "renamed.txt"],
      ["bare-signed.zip", "--previous-key", "theirs.pub.pem"],
      ["bare-signed.zip", "--previous-key", "theirs.pub.pem", "--previous-ledger", "renamed.txt"],
    ] as const) {
      const { of } = await close("10", "--previous", previous, ...args, "--out", "after-bare.zip", "--force")
      expect(of["old"]).toBe("OtherPeriod")
      expect(await verify("after-bare.zip")).toMatchObject({ code: 0 })
      const { "close.json": manifest = "" } = await BundleFiles.read("after-bare.zip")
      expect(JSON.parse(manifest).command).toEqual(expect.arrayContaining(args))
    }
  })

  test("starts no month otherwise: somebody may have changed its results", async () => {
    const withheld = "ledgers/bank-09.csv is withheld, so that somebody may have changed its results"
    await keys("others")
    const key = ["--previous-key", "others.pub.pem"]
    expect(await refused("bare.zip")).toContain(withheld)
    expect(await refused("bare-signed.zip")).toContain(withheld)
    expect(await refused("bare.zip", "--previous-ledger", "bank-10.csv")).toContain(withheld)
    const theirs = ["--previous-key", "theirs.pub.pem"]
    expect(await refused("bare-signed.zip", ...theirs, "--previous-ledger", "bank-10.csv")).toContain(withheld)
    expect(await refused("bare.zip", ...key)).toContain("--previous-key expects another signature: it has none")
    expect(await refused("bare-signed.zip", ...key)).toContain("it has the signature of another key")
    expect(await refused("whole.zip", ...key)).toContain("--previous-key expects another signature: it has none")
    const { stderr } = await close("10", "--previous-ledger", "bank-09.csv", "--out", "refused.zip")
    expect(stderr).toContain("--previous-key and --previous-ledger are for --previous")
  })

  test.each([["bare.zip"], ["bare-signed.zip"]])("starts none from a changed %s, whose hashes fit", async (from) => {
    const { "close.json": manifest = "", "open-items.json": items = "" } = await BundleFiles.read(from)
    const { items: all, ...head } = JSON.parse(items)
    const forged = `${JSON.stringify({ ...head, items: all.slice(1) }, undefined, 2)}\n`
    const { files, ...rest } = JSON.parse(manifest)
    const sha256 = createHash("sha256").update(forged).digest("hex")
    const bytes = Buffer.byteLength(forged)
    const other = files.map((file: { path: string }) =>
      file.path === "open-items.json" ? { ...file, bytes, sha256 } : file,
    )
    const changed = JSON.stringify({ ...rest, files: other })
    await repack(from, "forged.zip", { "open-items.json": forged, "close.json": changed })
    expect(await refused("forged.zip")).toContain("is withheld")
    expect(await refused("forged.zip", "--previous-ledger", "renamed.txt")).toContain("its open-items.json is not what")
    expect(await refused("forged.zip", "--previous-key", "theirs.pub.pem")).toContain("expects another signature")
  })

  test("takes a ledger from a pipe, which can be read once", async () => {
    execFileSync("mkfifo", ["-m", "600", "ledger.pipe"])
    const written = copyFile("bank-09.csv", "ledger.copy").then(async () =>
      writeFile("ledger.pipe", await readFile("ledger.copy")),
    )
    expect(await verify("bare.zip", "--ledger", "ledger.pipe")).toMatchObject({ code: 0, failed: [] })
    await written
  })
})

const keys = async (name: string, type: "ed25519" | "x25519" = "ed25519") => {
  const { privateKey, publicKey } = type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("x25519")
  await writeFile(`${name}.pem`, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  await writeFile(`${name}.pub.pem`, publicKey.export({ type: "spki", format: "pem" }))
}

test("an item of the days of grace is 0 days old", async () => {
  const data = [...transfers, TwoMonths.transfer("g", "5", "10-02", "executing")]
  await writeFile("undated.csv", "external_id,amount,currency\ng,5,EUR\n")
  await using fake = await startFakeServer({ data })
  await run(["export", "--out", "grace.ndjson"], { env: demo(fake.url) })
  const own = ["--from", "grace.ndjson", "--ledger", "undated.csv", "--grace", "3", "--out", "grace.zip"]
  const { stdout } = await run(["close", "--month", "2024-09", ...own, "--output", "json"])
  const found = JSON.parse(stdout).outcomes.find(({ key }: { key: string }) => key === "g")
  expect(found).toMatchObject({ outcome: "Expected", open_since: "2024-10-02", age_days: 0 })
})

describe("P29: a signature", () => {
  test("names the key, and is that of no other key or bundle", async () => {
    await keys("mine")
    await keys("other")
    await close("09", "--out", "signed.zip", "--sign-key", "mine.pem")
    const { code, checks, signature } = await verify("signed.zip", "--key", "mine.pub.pem")
    expect({ code, signature }).toEqual({ code: 0, signature: "valid" })
    expect(await verify("signed.zip")).toMatchObject({ code: 0, signature: "not checked" })
    expect(await verify("september.zip")).toMatchObject({ code: 0, signature: "none" })
    expect(checks.find(({ check }) => check === "close.sig")?.found).toMatch(/^signed by SHA256:[\w+/]{43}$/)
    expect(await verify("signed.zip", "--key", "other.pub.pem")).toMatchObject({
      code: 1,
      failed: ["close.sig"],
      signature: "wrong",
    })
    expect(await verify("september.zip", "--key", "mine.pub.pem")).toMatchObject({ code: 1, failed: ["close.sig"] })
    const { "close.json": manifest } = await BundleFiles.read("again.zip")
    await repack("signed.zip", "swapped.zip", { "close.json": manifest })
    expect((await verify("swapped.zip", "--key", "mine.pub.pem")).failed).toContain("close.sig")
    const { stderr } = await run(["verify", "signed.zip", "--output", "table"])
    expect(stderr).toContain("Its signature was not checked: give --key")
    expect((await run(["verify", "september.zip", "--output", "table"])).stderr).toContain(
      "It is not signed: hashes show damage, not forgery",
    )
  })

  test("needs a private key of Ed25519 that its user alone can read", async () => {
    await keys("wrong", "x25519")
    await chmod("other.pem", 0o644)
    for (const [key, reason] of [
      ["other.pem", "others can read it, and it holds a secret: chmod 600 other.pem"],
      ["wrong.pem", "it is not a private key of Ed25519"],
      ["mine.pub.pem", "others can read"],
      ["absent.pem", "no such file"],
    ] as const) {
      const { code, stderr } = await close("09", "--out", "unsigned.zip", "--sign-key", key)
      expect({ key, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) })
    }
  })
})
