/** Every example of a help page and of the README runs as it is written, and does what its line says. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Thorough from "../../../scripts/test/Thorough.ts"
import * as HelpPages from "../scripts/HelpPages.ts"
import { demo } from "./Cli.ts"
import * as ExampleFiles from "./ExampleFiles.ts"
import { type Outcome, type Perform, stage } from "./Examples.ts"

let folder: string
let fake: RunningFakeServer
let perform: Perform

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-examples-"))
  fake = await startFakeServer({ transfers: 400, seed: 8, partners: ["demo:demo-secret", "quiet:demo-secret"] })
  perform = await stage(folder)
  await ExampleFiles.make(folder, fake.url)
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

interface Expectation {
  readonly code?: number
  /** What is there before: nothing but a profile, or also the files that the examples speak of. */
  readonly props?: ExampleFiles.Props
  /** When to interrupt what does not end by itself. */
  readonly until?: (outcome: Outcome) => Promise<boolean>
  readonly partner?: string
  readonly as?: (example: string) => string
  readonly shows: (outcome: Outcome) => unknown
}

const lines = (text: string): ReadonlyArray<string> => text.trimEnd().split("\n")
const stdoutHolds = (text: string) => (outcome: Outcome) => expect(outcome.stdout).toContain(text)
const isJson = ({ stdout }: Outcome) => expect(() => JSON.parse(stdout)).not.toThrow()
const file = ({ folder: own }: Outcome, ...names: ReadonlyArray<string>) => readFile(join(own, ...names), "utf8")
const writes = (name: string, text: string) => async (outcome: Outcome) =>
  expect(await file(outcome, name)).toContain(text)
const profilesAre =
  (...names: ReadonlyArray<string>) =>
  async (outcome: Outcome) =>
    expect(Object.keys(JSON.parse(await file(outcome, ".config/transfers/profiles.json")).profiles).toSorted()).toEqual(
      names,
    )

const lookedUp: Expectation = { shows: stdoutHolds('"external_id":"order-1001"') }
const loads403: Expectation["shows"] = ({ stderr }) => expect(stderr).toContain("demo: loaded 403 transfers")
const exportsSeptember: Expectation = {
  props: "empty",
  shows: async (outcome) => {
    const rows = lines(await file(outcome, "september.csv")).slice(1)
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) expect(row).toContain("2024-09-")
  },
}

/** Not every machine has every shell; what shells do with it is tested where they are (`pnpm test:shells`). */
const printed = { as: (example: string) => example.replace("eval ", "printf %s ") }

/** Without a shell around it that would die of the interrupt itself and hide the code. */
const interrupted = { code: 130, as: (example: string) => `exec ${example}` }

/** The bank's file of other examples names neither day nor currency, which a close must know. */
const booked = { code: 1, as: (example: string) => example.replace("bank.csv", "booked.csv") }

/** By the example. One that is not here fails the test, and so does one that is on no page any more. */
const expectations: Readonly<Record<string, Expectation>> = {
  "transfers search --sandbox": { shows: ({ stdout }) => expect(lines(stdout)).toHaveLength(20) },
  "transfers search --external-id order-1001": lookedUp,
  "transfers search --since 2024-09 --until 2024-09 --all": {
    shows: ({ stdout }) => expect(lines(stdout).every((line) => line.includes('"created_at":"2024-09-'))).toBe(true),
  },
  "transfers search --since 24h --status executing --all --jq '.[].id'": {
    shows: ({ stdout }) => expect(stdout).toBe("tr_moving\n"),
  },
  "transfers search --stuck 24h --all": { shows: stdoutHolds('"id":"tr_odd"') },
  "transfers search --all --columns id,source_total_amount,source_total_currency_code --sort -source_total_amount": {
    shows: ({ stdout }) => {
      const amounts = lines(stdout).map((line) => Number(JSON.parse(line).source_total_amount ?? -1))
      expect(amounts).toHaveLength(403)
      expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
    },
  },
  "transfers show order-1001": { shows: stdoutHolds('"external_id": "order-1001"') },
  "transfers show order-1001 --from transfers.db": { shows: stdoutHolds('"first_seen_at"') },
  "transfers show order-1001 --jq .status": {
    shows: ({ stdout }) => expect(stdout).toBe("complete\n"),
  },
  "transfers query --from transfers.db --as-of 2024-10-01 'SELECT COUNT(*) FROM open_transfers'": {
    code: 2,
    shows: ({ stderr }) => expect(stderr).toContain("lacks what was created up to 2024-10-01"),
  },
  "transfers sync --to transfers.db": { props: "empty", shows: loads403 },
  "transfers sync --to transfers.db --workers 4": { props: "empty", shows: loads403 },
  "transfers worker --to postgres://finance@db.example/transfers": {
    ...interrupted,
    as: (example) => interrupted.as(example.replace(/postgres:\S+/, "transfers.db")),
    until: async ({ folder: own }) => (await readdir(own)).includes("transfers.db-wal"),
    shows: ({ stdout }) => expect(stdout).toBe(""),
  },
  "transfers worker --to transfers.db --profile shop --profile wallet": {
    ...interrupted,
    as: (example) => interrupted.as(example.replace("--profile shop --profile wallet", "--profile live")),
    until: async ({ folder: own }) => (await readdir(own)).includes("transfers.db-wal"),
    shows: ({ stdout }) => expect(stdout).toBe(""),
  },
  "transfers worker --to transfers.db --once": { shows: ({ stderr }) => expect(stderr).toBe("") },
  "transfers sync --to transfers.db --verify": { shows: ({ stderr }) => expect(stderr).toContain("again: 0 new") },
  "transfers sync --to transfers.db --profile shop --profile wallet": {
    props: "empty",
    as: (example) => example.replace("--profile shop --profile wallet", "--profile live"),
    shows: loads403,
  },
  "transfers sync --to postgres://finance@db.example/transfers --follow --output ndjson": {
    ...interrupted,
    as: (example) => interrupted.as(example.replace(/postgres:\S+/, "transfers.db")),
    until: async ({ folder: own }) => (await readdir(own)).includes("transfers.db-wal"),
    // The file is there before the sync begins.
    shows: ({ stderr }) => expect(stderr).toMatch(/^(?:interrupted: what was read is stored; [^\n]*\n)?$/),
  },
  "transfers sync --to transfers.db --dataset warehouse": {
    shows: async ({ folder: own }) => expect(await readdir(join(own, "warehouse"))).toContain("manifest.json"),
  },
  "transfers sync --to transfers.db --status": { shows: stdoutHolds('"partners"') },
  "transfers query --from transfers.db 'SELECT status, COUNT(*) FROM transfers GROUP BY status'": {
    shows: stdoutHolds('{"status":"executing","COUNT(*)":'),
  },
  "transfers query --from transfers.db 'SELECT * FROM daily_totals ORDER BY created_day' --output csv": {
    shows: stdoutHolds("partner_id,created_day,status,currency_code,transfers,source_total\n"),
  },
  "transfers mcp --from transfers.db": { shows: ({ stdout }) => expect(stdout).toBe("") },
  "transfers mcp --sandbox --mask wallet_address,external_id": { shows: ({ stdout }) => expect(stdout).toBe("") },
  "transfers mcp --http --port 8790 --from transfers.db": {
    ...interrupted,
    as: (example) => interrupted.as(example.replace("8790", "0")),
    until: async ({ stderr }) => stderr.includes("Listening on http://127.0.0.1:"),
    shows: ({ stdout }) => expect(stdout).toBe(""),
  },
  "transfers search --profile live": { shows: ({ stdout }) => expect(lines(stdout)).toHaveLength(20) },
  "transfers export --since 2024-09 --until 2024-09 --out september.csv": exportsSeptember,
  "transfers export --out all.ndjson": {
    props: "empty",
    shows: async (outcome) => expect(lines(await file(outcome, "all.ndjson"))).toHaveLength(403),
  },
  "transfers export --status complete --out complete.json": {
    props: "empty",
    shows: async (outcome) => {
      const { results }: { results: ReadonlyArray<{ status: string }> } = JSON.parse(
        await file(outcome, "complete.json"),
      )
      const statuses = results.map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set(["complete"]))
    },
  },
  "transfers export --since 24h --out - --format csv --quiet | gzip > day.csv.gz": {
    shows: async ({ folder: own, stderr }) => {
      expect(stderr).toBe("")
      expect(gunzipSync(await readFile(join(own, "day.csv.gz"))).toString()).toContain("tr_moving")
    },
  },
  "transfers summary --since 2024-09 --until 2024-09": { shows: stdoutHolds('"currency": "fiat/USD"') },
  "transfers summary --by day,status --since 7d": { shows: stdoutHolds('"status": "executing"') },
  "transfers summary --since 2024 --until 2024 --by month --field source_total --chart": {
    shows: ({ stdout }) => expect(stdout).toMatch(/source_total in fiat\/USD\n2024-\d\d +█/),
  },
  "transfers summary --since 2024 --until 2024 --by quarter --time-zone Europe/Berlin": {
    shows: stdoutHolds('"quarter": "2024-Q4"'),
  },
  "transfers report --month 2024-09 --html september.html": {
    shows: writes("september.html", "Transfers of demo: September 2024"),
  },
  "transfers report --month 2024-09 --from transfers.db --ledger ledger.csv --html september.html": {
    code: 1,
    shows: writes("september.html", "order-nowhere"),
  },
  "transfers report --since 2024-07 --until 2024-09 --html quarter.html --output json > quarter.json": {
    shows: writes("quarter.json", '"sha256"'),
  },
  "transfers audit --since yesterday": { code: 1, shows: stdoutHolds('"id": "tr_odd"') },
  "transfers audit --since 2024-09 --until 2024-09 --output csv > findings.csv": {
    shows: writes("findings.csv", "id,external_id,code,path,message,actual,limit"),
  },
  "transfers audit --since 2024-09 --until 2024-09 --fees fees.json": {
    code: 1,
    shows: stdoutHolds("fee_not_in_schedule"),
  },
  "transfers audit --from september.csv --capabilities capabilities.json": { shows: stdoutHolds('"findings": []') },
  "transfers audit --status complete --output ndjson | jq -r .code | sort | uniq -c": {
    shows: ({ code, stderr }) => expect({ code, stderr }).toEqual({ code: 0, stderr: "" }),
  },
  "transfers reconcile ledger.csv --since 2024-09 --until 2024-09": { code: 1, shows: stdoutHolds("order-nowhere") },
  "transfers reconcile book.csv --map key=Order --map amount=Gross --ledger-currency fiat/EUR": {
    code: 1,
    shows: stdoutHolds("order-nowhere"),
  },
  "transfers reconcile ledger.csv --since 2024-09 --until 2024-09 --map date=Day --grace 3": {
    code: 1,
    shows: stdoutHolds("order-nowhere"),
  },
  "transfers reconcile bank.csv --map key=Reference --map in=Credit --map out=Debit --ledger-currency GBP": {
    code: 1,
    shows: stdoutHolds("order-nowhere"),
  },
  "transfers reconcile - --ledger-profile sparkasse --since 2024-09 --until 2024-09 < umsaetze.csv": {
    code: 1,
    shows: stdoutHolds("order-nowhere"),
  },
  "transfers reconcile statement.xml --map key=Ustrd --since 2024-09-30": {
    code: 1,
    shows: stdoutHolds("Order & payment September"),
  },
  "transfers reconcile ledger.csv --from september.parquet --html report.html --junit report.xml": {
    code: 1,
    shows: async (outcome) => {
      expect(await file(outcome, "report.html")).toContain("order-nowhere")
      expect(await file(outcome, "report.xml")).toContain("order-nowhere")
    },
  },
  "transfers watch": {
    ...interrupted,
    // From now on there is nothing to tell, so that its request is the only sign of life.
    partner: "quiet",
    until: async () => {
      const journal = await fetch(`${fake.url}/_fake/requests?partner=quiet`)
      return (await journal.text()).includes('"status":200')
    },
    shows: ({ stdout }) => expect(stdout).toBe(""),
  },
  "transfers watch --state watched --exec 'curl -sf --json @- https://hooks.example.com/transfers'": {
    ...interrupted,
    until: async (outcome) => (await readdir(outcome.folder)).includes("watched"),
    shows: writes("watched/transfers.db", "SQLite format 3"),
  },
  "transfers watch --since today --status complete --output ndjson": {
    ...interrupted,
    until: async ({ stdout }) => stdout.includes("\n"),
    shows: stdoutHolds('"id":"tr_now"'),
  },
  "transfers capabilities": { shows: isJson },
  "transfers capabilities --output json > capabilities.json": {
    shows: writes("capabilities.json", '"transfer_limits"'),
  },
  "transfers capabilities --hash": { shows: ({ stdout }) => expect(stdout).toMatch(/^sha256:[0-9a-f]{64}\n$/) },
  "transfers capabilities --sandbox": { shows: isJson },
  "transfers doctor": { shows: stdoutHolds('"ok": true') },
  "transfers doctor --profile live": { shows: stdoutHolds('"ok": true') },
  "transfers doctor --from postgres://transfers_reader@db.example/transfers": {
    as: (example) => example.replace(/postgres:\S+/, "transfers.db"),
    shows: stdoutHolds('"ok": true'),
  },
  "transfers doctor --output json": { shows: isJson },
  "transfers certify --rate 100 --out certificate.json --html certificate.html": {
    shows: writes("certificate.html", "laws kept"),
  },
  "transfers certify --rate 100 --against certificate.json": { shows: stdoutHolds('"drift": false') },
  "transfers certify --rate 100 --profile live --save": {
    shows: writes(".config/transfers/profiles.json", '"lte_token": "lte"'),
  },
  "transfers verify september.csv": { shows: stdoutHolds('"ok": true') },
  "transfers verify september.csv --output json": { shows: isJson },
  "transfers verify all.parquet && mv all.parquet* archive/": {
    shows: async ({ folder: own }) =>
      expect(await readdir(join(own, "archive"))).toEqual(["all.parquet", "all.parquet.manifest.json"]),
  },
  "transfers close --month 2024-09 --ledger bank.csv --out september.zip": {
    ...booked,
    as: (example) => `rm september.zip && ${booked.as(example)}`,
    shows: async ({ folder: own }) => expect(await readdir(own)).toContain("september.zip"),
  },
  "transfers close --month 2024-10 --ledger bank.csv --previous september.zip --accepted accepted.json": {
    ...booked,
    shows: async ({ folder: own }) => expect(await readdir(own)).toContain("close-2024-10.zip"),
  },
  "transfers verify september.zip": { shows: stdoutHolds('"ok": true') },
  "transfers verify close-2024-09.zip --key controller.pub.pem": { shows: stdoutHolds("signed by SHA256:") },
  "transfers diff monday.csv tuesday.csv": { code: 1, shows: stdoutHolds('"kind": "removed"') },
  "transfers diff september.csv --since 2024-09 --until 2024-09": { shows: stdoutHolds('"differences": []') },
  "transfers diff a.csv b.csv --output ndjson | jq -r .id": {
    shows: ({ stdout }) => expect(lines(stdout).length).toBeGreaterThan(1),
  },
  "transfers validate proposals.json": { code: 1, shows: stdoutHolds("unsupported_country") },
  "transfers validate payouts.csv --capabilities capabilities.json": {
    code: 1,
    shows: stdoutHolds("unsupported_country"),
  },
  'transfers validate proposals.json --expect-hash "$(transfers capabilities --hash)"': {
    code: 1,
    shows: stdoutHolds("unsupported_country"),
  },
  "generate-payouts | transfers validate - --output json": { code: 1, shows: isJson },
  "transfers whoami": { shows: stdoutHolds("environment (TRANSFERS_BASE_URL)") },
  "transfers whoami --profile live": { shows: stdoutHolds("profile live") },
  "transfers whoami --output json | jq -r .base_url.source": {
    shows: ({ stdout }) => expect(stdout).toBe("environment (TRANSFERS_BASE_URL)\n"),
  },
  "transfers profiles": { shows: stdoutHolds('"name": "live"') },
  "transfers profiles save default": { shows: profilesAre("default", "live") },
  "transfers profiles save copy --profile live": { shows: profilesAre("copy", "live") },
  "transfers profiles set live --base-url https://api.example.com": {
    shows: writes(".config/transfers/profiles.json", "https://api.example.com"),
  },
  "transfers profiles set live --settled paid --failed expired --failed declined": {
    shows: writes(".config/transfers/profiles.json", '"paid"'),
  },
  "pass show partner/key | transfers profiles set live --secret-key-stdin": {
    shows: writes(".config/transfers/profiles.json", "demo-secret"),
  },
  "transfers profiles remove live": { shows: profilesAre() },
  "transfers profiles save live --base-url https://api.example.com --partner-id acme --secret-key-file key": {
    shows: writes(".config/transfers/profiles.json", "https://api.example.com"),
  },
  "pass show partner/key | transfers profiles save live --base-url https://api.example.com --partner-id acme --secret-key-stdin":
    { shows: writes(".config/transfers/profiles.json", "https://api.example.com") },
  'eval "$(transfers completions bash)"': { ...printed, shows: stdoutHolds("complete -F") },
  'eval "$(transfers completions zsh)"': { ...printed, shows: stdoutHolds("#compdef transfers") },
  "transfers completions fish > ~/.config/fish/completions/transfers.fish": {
    shows: writes(".config/fish/completions/transfers.fish", "complete -c transfers"),
  },
  "transfers summary --sandbox --since 30d --by currency --field source_total --output table": {
    shows: stdoutHolds("fiat/USD"),
  },
  "transfers sync --sandbox --to transfers.db": {
    props: "empty",
    shows: ({ stderr }) => expect(stderr).toContain("loaded 5,000 transfers"),
  },
  'transfers query --from transfers.db "SELECT status, COUNT(*) AS transfers FROM transfers GROUP BY status"': {
    shows: stdoutHolds('{"status":"executing","transfers":'),
  },
}

const pages = await HelpPages.docs()
const readme = await readFile(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8")
const examples = new Set([
  ...Object.values(pages).flatMap((page) => (page.examples ?? []).map(({ command }) => command)),
  ...Array.from(readme.matchAll(/```sh\n([^]*?)```/g), ([, block = ""]) => lines(block))
    .flat()
    // Needs a registry that has the package: `pnpm packaging:check` runs it against one.
    .filter((line) => line !== "npm install --global @transferkit/cli"),
])

test("every example has an expectation, and every expectation an example", () => {
  expect([...examples].toSorted()).toEqual(Object.keys(expectations).toSorted())
})

describe("the example", () => {
  test.each(Thorough.some([...examples], 12))("%s", async (example) => {
    const expectation = expectations[example] ?? { code: 0, shows: () => {} }
    const { code = 0, props: name = "full", until, partner, as = String, shows } = expectation
    const env = { ...demo(fake.url), ...(partner && { TRANSFERS_PARTNER_ID: partner }) }
    const outcome = await perform(as(example), {
      props: ExampleFiles.propsOf(folder, name),
      env,
      ...(until && { until }),
    })
    expect(outcome.code, outcome.stderr).toBe(code)
    await shows(outcome)
  })
})
