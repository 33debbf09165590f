/** What the examples of help pages speak of: transfers of the service, and files in the folder of the user. */
import { generateKeyPairSync } from "node:crypto"
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect } from "vitest"
import { demo, run } from "./Cli.ts"
import * as Fake from "./Fake.ts"

/** A folder before an example: nothing but a profile, or also the files that the examples speak of. */
export type Props = "empty" | "full"

/** The folder to copy for an example. */
export const propsOf = (folder: string, name: Props): string => join(folder, `props-${name}`)

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Inserts the transfers into a fake, and makes both folders. */
export const make = async (folder: string, url: string): Promise<void> => {
  const usd = { amount: "12.00", currency_code: "fiat/USD" }
  await Fake.insert(url, { id: "tr_moving", status: "executing", created_at: hoursAgo(1) })
  await Fake.insert(url, { id: "tr_now", external_id: "order-1001", status: "complete", created_at: hoursAgo(0) })
  await Fake.insert(url, {
    id: "tr_odd",
    status: "approved",
    source_total_usd: { ...usd, currency_code: "fiat/EUR" },
    created_at: hoursAgo(24),
  })
  const [empty, full] = [propsOf(folder, "empty"), propsOf(folder, "full")]
  for (const path of [empty, full]) {
    await mkdir(join(path, ".config", "fish", "completions"), { recursive: true })
    await mkdir(join(path, ".config", "transfers"))
    const live = { base_url: url, partner_id: "demo", secret_key: "demo-secret" }
    const profiles = join(path, ".config", "transfers", "profiles.json")
    await writeFile(profiles, JSON.stringify({ profiles: { live } }), { mode: 0o600 })
    await writeFile(join(path, "key"), "demo-secret\n", { mode: 0o600 })
  }
  await mkdir(join(full, "archive"))
  const september = ["--since", "2024-09", "--until", "2024-09"]
  const exported = async (name: string, ...flags: ReadonlyArray<string>) =>
    expect(await run(["export", "--out", join(full, name), ...flags], { env: demo(url) })).toMatchObject({
      code: 0,
    })
  for (const name of ["september.csv", "september.parquet", "monday.csv", "a.csv", "old.parquet"]) {
    await exported(name, ...september)
  }
  for (const name of ["tuesday.csv", "b.csv", "new.ndjson"]) {
    await exported(name, ...september, "--status", "complete")
    // With its manifest, it would say that it has no other status.
    await rm(join(full, `${name}.manifest.json`))
  }
  await exported("all.parquet")
  const synced = await run(["sync", "--to", join(full, "transfers.db")], { env: demo(url) })
  expect(synced.code).toBe(0)
  await writeFile(join(full, "ledger.csv"), "external_id,amount,currency,Day\norder-nowhere,1.00,USD,2024-09-15\n")
  await writeFile(join(full, "bank.csv"), "Reference,Credit,Debit\norder-nowhere,1.00,\n")
  const columns = "Buchungstag;Kundenreferenz (End-to-End);Betrag;Waehrung;Info"
  await writeFile(join(full, "umsaetze.csv"), `${columns}\n15.09.24;order-nowhere;1,00;EUR;Umsatz gebucht\n`)
  const statement = new URL("../../../packages/files/test/fixtures/ledgers/september.camt053.xml", import.meta.url)
  await copyFile(statement, join(full, "statement.xml"))
  await writeFile(join(full, "book.csv"), "Order;Gross\norder-nowhere;1.00\n")
  const fields = "country_code,payment_method,source_amount,source_currency_code,destination_currency_code"
  await writeFile(join(full, "payouts.csv"), `${fields}\nXX,ach,1,fiat/USD,fiat/USD\n`)
  await writeFile(join(full, "proposals.json"), JSON.stringify([{ country_code: "XX" }]))
  const { stdout } = await run(["capabilities", "-o", "json"], { env: demo(url) })
  await writeFile(join(full, "booked.csv"), "Reference,Date,Amount,Currency\norder-nowhere,2024-09-15,1.00,USD\n")
  await writeFile(join(full, "accepted.json"), JSON.stringify({ accepted_breaks: 1, breaks: [] }))
  const fee = { fee: "service_fee", currency: "fiat/USD", fixed: "0.30" }
  await writeFile(join(full, "fees.json"), JSON.stringify({ fee_schedule: 1, rows: [fee] }))
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const key = join(full, "controller.pem")
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  await writeFile(join(full, "controller.pub.pem"), publicKey.export({ type: "spki", format: "pem" }))
  const closed = ["close", "--month", "2024-09", "--ledger", join(full, "booked.csv")]
  for (const more of [
    ["--out", "september.zip"],
    ["--out", "close-2024-09.zip", "--sign-key", key],
  ]) {
    const [flag = "", name = "", ...rest] = more
    expect((await run([...closed, flag, join(full, name), ...rest], { env: demo(url) })).code).toBe(1)
  }
  const certify = ["certify", "--rate", "1000", "--out", join(full, "certificate.json")]
  expect((await run(certify, { env: demo(url) })).code).toBe(0)
  await writeFile(join(full, "capabilities.json"), stdout)
}
