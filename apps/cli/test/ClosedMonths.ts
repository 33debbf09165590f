/**
 * September and October of one service, as each ended: exports, ledgers, and the closes that are made of them in a folder of
 * their own.
 */
import { execFileSync } from "node:child_process"
import { createHash, generateKeyPairSync } from "node:crypto"
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, expect } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

type Args = ReadonlyArray<string>

/** Those of two months with valuations, but for `d`, and one that is older. */
export const transfers = [TwoMonths.transfer("old", "7", "07-02"), ...TwoMonths.transfers].map((one) =>
  one.external_id === "d"
    ? one
    : { ...one, source_total_usd: { amount: `${one.source_total.amount}.5`, currency_code: "fiat/USD" } },
)

/** Exports both months and writes their ledgers, for all tests of a file. */
export const useExports = (): void => {
  WorkingFolder.use()
  beforeAll(async () => {
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
}

/** Closes a month. */
export const close = async (month: "09" | "10", ...args: Args) => {
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

/** Closes September with all its breaks accepted. */
export const closeAccepted = async (out: string) => {
  const own = ["--since", "2024-09", "--until", "2024-09", "--map", "date=day", "--grace", "3"]
  await run(["reconcile", "bank-09.csv", "--from", "september.ndjson", ...own, "--write-accepted", "draft.json"])
  const { breaks, ...rest } = JSON.parse(await readFile("draft.json", "utf8"))
  const accept = (one: object) => ({
    ...one,
    reason: "bank rounds",
    by: "controller",
    at: "2024-10-02",
    until: "2024-12-31",
  })
  await writeFile("accepted.json", JSON.stringify({ ...rest, breaks: breaks.map(accept) }))
  return close("09", "--accepted", "accepted.json", "--out", out)
}

/** Why October cannot be closed with some flags. */
export const refusal = async (...args: Args): Promise<string> => {
  const { code, stderr } = await close("10", ...args, ...(args.includes("--out") ? [] : ["--out", "refused.zip"]))
  await expect(stat("refused.zip")).rejects.toThrow("ENOENT")
  expect({ args, code }).toEqual({ args, code: 2 })
  return stderr.replaceAll("\n", " ")
}

/** Verifies a bundle. */
export const verify = async (...args: Args) => {
  const { code, stdout, stderr } = await run(["verify", ...args, "--output", "json"])
  const checks: ReadonlyArray<{ readonly check: string; readonly ok: boolean; readonly found: string }> =
    code === 0 || code === 1 ? JSON.parse(stdout).checks : []
  const { signature } = checks.length === 0 ? {} : JSON.parse(stdout)
  return { code, stderr, failed: checks.filter(({ ok }) => !ok).map(({ check }) => check), checks, signature }
}

/** A bundle of other files: as somebody else could make it. */
export const repack = async (from: string, to: string, changes: Readonly<Record<string, string | undefined>>) => {
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

/** A bundle with a file that was changed together with its hash. */
export const forge = async (from: string, to: string, name: string, text: string) => {
  const { "close.json": manifest = "" } = await BundleFiles.read(from)
  const { files, ...rest } = JSON.parse(manifest)
  const sha256 = createHash("sha256").update(text).digest("hex")
  const bytes = Buffer.byteLength(text)
  const other = files.map((file: { path: string }) => (file.path === name ? { ...file, bytes, sha256 } : file))
  await repack(from, to, { [name]: text, "close.json": JSON.stringify({ ...rest, files: other }) })
}

/** Writes a pair of keys: `NAME.pem`, and `NAME.pub.pem`. */
export const writeKeys = async (name: string, type: "ed25519" | "x25519" = "ed25519") => {
  const { privateKey, publicKey } = type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("x25519")
  await writeFile(`${name}.pem`, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  await writeFile(`${name}.pub.pem`, publicKey.export({ type: "spki", format: "pem" }))
}
