/** Anybody can repeat a close from its bundle, and finds what was changed in it. */
import { copyFile, mkdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import { close, closeAccepted, forge, refusal, repack, useExports, verify } from "./ClosedMonths.ts"
import { run } from "./InProcess.ts"

useExports()
beforeAll(async () => {
  await closeAccepted("september.zip")
  await close("10", "--previous", "september.zip", "--out", "october.zip")
})

describe("P26: verify", () => {
  test("repeats a close from its bundle alone, in another folder", async () => {
    await mkdir("elsewhere")
    for (const name of ["september.zip", "october.zip"]) {
      await copyFile(name, join("elsewhere", name))
      const { code, failed, checks } = await verify(resolve("elsewhere", name))
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
    expect(await refusal("--previous", "tampered.zip")).toContain(`its file ${name} is not what close.json says`)
  })

  test.each([
    ["september.zip", "open-items.json", "40.01", "40.02"],
    ["october.zip", "changes.json", "executing", "complete"],
    ["october.zip", "changes.json", '"changed": 2', '"changed": 1'],
  ])("finds that of %s a result, %s, was changed together with its hash", async (from, name, was, is) => {
    const { [name]: text = "" } = await BundleFiles.read(from)
    const forged = text.replace(was, is)
    expect(forged).not.toBe(text)
    await forge(from, "forged.zip", name, forged)
    expect(await verify("forged.zip")).toMatchObject({ code: 1, failed: [`${name} made again`] })
    if (from === "october.zip") return
    expect(await refusal("--previous", "forged.zip")).toContain(`its ${name} is not what its other files give`)
  })

  test.each(["version", "month"])("shows a %s with line breaks in one line", async (field) => {
    const { "close.json": text = "" } = await BundleFiles.read("september.zip")
    const odd = JSON.stringify({ ...JSON.parse(text), [field]: "1\nforged.zip: repeated\u0085" })
    await repack("september.zip", "odd.zip", { "close.json": odd, "report.html": "" })
    const { stderr } = await run(["verify", "odd.zip", "--output", "table"])
    expect(stderr).toContain(String.raw`1\nforged.zip: repeated\x85`)
    expect(stderr).not.toMatch(/^forged/m)
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
