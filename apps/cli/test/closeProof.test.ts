/** What shows that a bundle is unchanged, if its results alone cannot: its ledgers, or a signature. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmod, copyFile, readFile, writeFile } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import { close, forge, refusal, repack, useExports, verify, writeKeys } from "./ClosedMonths.ts"
import { run } from "./InProcess.ts"

useExports()

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

  const refused = (previous: string, ...args: ReadonlyArray<string>) => refusal("--previous", previous, ...args)

  test("starts the next month with its ledgers, or with a signature that is valid", async () => {
    await writeKeys("theirs")
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
    await writeKeys("others")
    const key = ["--previous-key", "others.pub.pem"]
    expect(await refused("bare.zip")).toContain(withheld)
    expect(await refused("bare-signed.zip")).toContain(withheld)
    expect(await refused("bare.zip", "--previous-ledger", "bank-10.csv")).toContain(withheld)
    const theirs = ["--previous-key", "theirs.pub.pem"]
    expect(await refused("bare-signed.zip", ...theirs, "--previous-ledger", "bank-10.csv")).toContain(withheld)
    expect(await refused("bare.zip", ...key)).toContain("--previous-key expects another signature: it has none")
    expect(await refused("bare-signed.zip", ...key)).toContain("it has the signature of another key")
    expect(await refused("whole.zip", ...key)).toContain("--previous-key expects another signature: it has none")
    expect(await refusal("--previous-ledger", "bank-09.csv")).toContain(
      "--previous-key and --previous-ledger are for --previous",
    )
  })

  test.each([["bare.zip"], ["bare-signed.zip"]])("starts none from a changed %s, whose hashes fit", async (from) => {
    const { "open-items.json": items = "" } = await BundleFiles.read(from)
    const { items: all, ...head } = JSON.parse(items)
    const fewer = `${JSON.stringify({ ...head, items: all.slice(1) }, undefined, 2)}\n`
    await forge(from, "forged.zip", "open-items.json", fewer)
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

describe("P29: a signature", () => {
  test("names the key, and is that of no other key or bundle", async () => {
    await writeKeys("mine")
    await writeKeys("other")
    await close("09", "--out", "unsigned.zip")
    await close("09", "--out", "signed.zip", "--sign-key", "mine.pem")
    const { code, checks, signature } = await verify("signed.zip", "--key", "mine.pub.pem")
    expect({ code, signature }).toEqual({ code: 0, signature: "valid" })
    expect(await verify("signed.zip")).toMatchObject({ code: 0, signature: "not checked" })
    expect(await verify("unsigned.zip")).toMatchObject({ code: 0, signature: "none" })
    expect(checks.find(({ check }) => check === "close.sig")?.found).toMatch(/^signed by SHA256:[\w+/]{43}$/)
    expect(await verify("signed.zip", "--key", "other.pub.pem")).toMatchObject({
      code: 1,
      failed: ["close.sig"],
      signature: "wrong",
    })
    expect(await verify("unsigned.zip", "--key", "mine.pub.pem")).toMatchObject({ code: 1, failed: ["close.sig"] })
    const { "close.json": manifest } = await BundleFiles.read("unsigned.zip")
    await repack("signed.zip", "swapped.zip", { "close.json": manifest })
    expect((await verify("swapped.zip", "--key", "mine.pub.pem")).failed).toContain("close.sig")
    const { stderr } = await run(["verify", "signed.zip", "--output", "table"])
    expect(stderr).toContain("Its signature was not checked: give --key")
    expect((await run(["verify", "unsigned.zip", "--output", "table"])).stderr).toContain(
      "It is not signed: hashes show damage, not forgery",
    )
  })

  test("needs a private key of Ed25519 that its user alone can read", async () => {
    await writeKeys("wrong", "x25519")
    await chmod("other.pem", 0o644)
    for (const [key, reason] of [
      ["other.pem", "others can read it, and it holds a secret: chmod 600 other.pem"],
      ["wrong.pem", "it is not a private key of Ed25519"],
      ["mine.pub.pem", "others can read"],
      ["absent.pem", "no such file"],
    ] as const) {
      const { code, stderr } = await close("09", "--out", "refused.zip", "--sign-key", key)
      expect({ key, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) })
    }
  })
})
