/**
 * `pnpm grow`: adds an amount and an instant to the fields of a transfer, in a copy of the repository and as
 * docs/architecture.md says: in the table of fields, in a migration of the mirror, and in the table of the contract. Then
 * only generated files may differ, types and tests must hold, the copy must read what the releases wrote, and this version
 * must reject what the copy writes in words that do not blame its user.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Repository from "./Repository.ts"
import * as Postgres from "./test/Postgres.ts"

const began = Date.now()
const done = (what: string): void =>
  console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${what}`)

const folder = mkdtempSync(join(tmpdir(), "transferkit-grow-"))
const copy = join(folder, "repository")
const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd, encoding: "utf8" })

/** Runs a command in the copy. Throws an error with its output if it fails. */
const run = (...command: ReadonlyArray<string>): void => {
  const [file = "", ...args] = command
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: copy, encoding: "utf8", maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command.slice(0, 4).join(" ")} ended with ${status}\n${stdout}${stderr}`)
}

const edit = (file: string, from: string, to: string): void => {
  const path = join(copy, file)
  const text = readFileSync(path, "utf8")
  if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
  writeFileSync(path, text.replace(from, to))
}

/** The changes that the page names. */
const addFields = (): void => {
  edit(
    "packages/domain/src/internal/wire/TransferFields.ts",
    "export const laterFields = {}",
    `export const laterFields = {\n  /** Charged by the bank. */\n  bank_fee: "money",\n  settled_at: "instant",\n}`,
  )
  edit(
    "docs/partner-api.md",
    "\n\nGaps:\n- Allowed values of kind",
    "\n| bank_fee | money object | Fee of the bank. |\n| settled_at | string | Timestamp of the settlement. |\n\nGaps:\n- Allowed values of kind",
  )
  writeFileSync(join(copy, "packages/mirror/sql/0002.sqlite.sql"), migrations.sqlite)
  writeFileSync(join(copy, "packages/mirror/sql/0002.postgres.sql"), migrations.postgres)
}

const totals = `-- The totals lack them: the next sync adds all up again.
UPDATE sync_state SET value = 'incomplete' WHERE name = 'totals';
`

const migrations = {
  sqlite: `-- The fields bank_fee and settled_at, whose columns are computed.

${totals}`,
  postgres: `-- The fields bank_fee and settled_at.

ALTER TABLE mirrored_transfers
  ADD COLUMN bank_fee_amount NUMERIC,
  ADD COLUMN bank_fee_currency_code TEXT COLLATE "C",
  ADD COLUMN settled_at TEXT COLLATE "C";

UPDATE mirrored_transfers
SET bank_fee_amount = CAST(CAST(body AS json) #>> '{bank_fee,amount}' AS numeric),
  bank_fee_currency_code = CAST(body AS json) #>> '{bank_fee,currency_code}',
  settled_at = CAST(body AS json) ->> 'settled_at'
WHERE body LIKE '%"bank_fee"%' OR body LIKE '%"settled_at"%';

${totals}`,
}

/** What generating may change. */
const generated = [
  /(?:^|\/)golden\//,
  /^packages\/[\w-]+\/(?:api\.md|schemas\/[\w-]+\.json)$/,
  /^deploy\/bruno\//,
  /^docs\/(?:errors|quality)\.md$/,
  /^packages\/http-client\/src\/internal\/promise\/TransferOf\.ts$/,
  /^packages\/mirror\/src\/internal\/schema\/Migrations\.ts$/,
]

const tests = [
  "packages/domain/test/Transfer",
  "packages/domain/test/Summary",
  "packages/domain/test/examples",
  "packages/files/test",
  "packages/http-api/test",
  "packages/http-client/test/PromiseClient.types",
  "packages/mirror/test/Schema",
  "packages/mirror/test/Rows",
  "packages/mirror/test/Released",
  "packages/fake/test/openapi",
  "apps/cli/test/help",
  "apps/cli/test/projection",
  "scripts/test/Generated",
  "scripts/test/JsonSchemas",
]

/** Runs `transfers` of a repository. */
const transfers = (root: string, ...args: ReadonlyArray<string>) => {
  const node = join(root, "node_modules/.bin/node")
  const { status, stdout, stderr } = spawnSync(node, [join(root, "apps/cli/src/bin.ts"), ...args], {
    cwd: folder,
    encoding: "utf8",
  })
  return { status, stdout, stderr }
}

const expect = (what: string, { status, stdout, stderr }: ReturnType<typeof transfers>, code: number, text: RegExp) => {
  if (status === code && text.test(stdout + stderr)) return
  throw new Error(`${what}: expected ${text} and exit code ${code}, found exit code ${status} and\n${stdout}${stderr}`)
}

const later = /it was written by a later version of transfers, which knows the field of its column bank_fee_amount/

const grow = (): void => {
  for (const file of git(Repository.root, "ls-files", "-z", "-co", "--exclude-standard").split("\0")) {
    if (file === "") continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(Repository.root, file), join(copy, file))
  }
  git(copy, "init", "--quiet")
  git(copy, "add", "--all")
  git(copy, "-c", "user.name=grow", "-c", "user.email=grow@example.com", "commit", "--quiet", "--message", "Copy")
  run("pnpm", "install", "--frozen-lockfile", "--prefer-offline")
  done("a copy of the repository")

  addFields()
  git(copy, "add", "--all")
  const own = new Set(git(copy, "diff", "--cached", "--name-only").trim().split("\n"))
  run("pnpm", "generate", "sources", "api", "screens")
  git(copy, "add", "--all")
  const changed = git(copy, "diff", "--cached", "--name-only").trim().split("\n")
  const others = changed.filter((file) => !own.has(file) && !generated.some((pattern) => pattern.test(file)))
  if (others.length > 0) throw new Error(`These files are not generated, and differ:\n${others.join("\n")}`)
  done(`bank_fee and settled_at: ${own.size} files written, ${changed.length - own.size} generated`)

  run("pnpm", "types")
  done("types hold")
  // Its own files and mirror of the coming release are others.
  run("pnpm", "exec", "vitest", "run", "--testNamePattern", "^(?!.*of the coming release (?:are|is) )", ...tests)
  done("tests hold, and the files of the releases are read with equal transfers")
  if (Postgres.isThere) {
    run("pnpm", "exec", "vitest", "run", "--mode", "postgres", "packages/mirror/test/Released")
    done("so are their mirrors in PostgreSQL, which sync goes on with")
  } else done("without PostgreSQL, its mirrors are left out")

  for (const name of ["csv", "parquet"]) {
    const [ours, theirs] = [`ours.${name}`, `theirs.${name}`]
    expect(`export ${ours}`, transfers(Repository.root, "export", "--sandbox", "--out", ours), 0, /5,000|5000/)
    expect(`summary of ${ours}`, transfers(copy, "summary", "--from", ours, "--field", "bank_fee"), 0, /./)
    expect(`verify ${ours}`, transfers(copy, "verify", ours), 0, /./)
    expect(`export ${theirs}`, transfers(copy, "export", "--sandbox", "--out", theirs), 0, /5,000|5000/)
    expect(`summary of ${theirs}`, transfers(Repository.root, "summary", "--from", theirs), 2, later)
  }
  done("this version rejects what a later one wrote, and names the column")

  expect("sync", transfers(Repository.root, "sync", "--sandbox", "--to", "mirror.db"), 0, /./)
  const query = ["query", "--from", "mirror.db", "SELECT COUNT(*), COUNT(bank_fee_amount) FROM transfers"]
  expect("a mirror that was not upgraded", transfers(copy, ...query), 2, /run transfers sync, which upgrades it/)
  expect("sync of the copy", transfers(copy, "sync", "--sandbox", "--to", "mirror.db"), 0, /./)
  expect("a mirror that was upgraded", transfers(copy, ...query), 0, /5000/)
  expect("a mirror of a later version", transfers(Repository.root, ...query), 2, /update the program/)
  done("a mirror is upgraded")
}

try {
  grow()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
