/** Loads exports by the `CREATE TABLE` beside them into DuckDB and PostgreSQL, and compares their sums with the manifest. */
import { strictEqual } from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { PGlite } from "@electric-sql/pglite"

const transfers = join(import.meta.dirname, "../../apps/cli/dist/transfers.cjs")
const fields = ["source_total", "destination_total", "service_fee"] as const

interface Manifest {
  readonly transfers: number
  readonly totals: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** How a database runs statements and gives the rows of a query back, all of it as text. */
interface Database {
  readonly run: (sql: string) => Promise<unknown>
  readonly rows: (sql: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
}

const check = async (name: string, database: Database, manifest: Manifest, load: string): Promise<void> => {
  await database.run(load)
  const [counted] = await database.rows("SELECT CAST(count(*) AS TEXT) AS n FROM transfers")
  strictEqual(counted?.["n"], String(manifest.transfers))
  let sums = 0
  for (const field of fields) {
    const rows = await database.rows(
      `SELECT ${field}_currency_code AS code, CAST(sum(${field}_amount) AS TEXT) AS total FROM transfers WHERE ${field}_amount IS NOT NULL GROUP BY 1`,
    )
    const found = Object.fromEntries(rows.map(({ code, total }) => [String(code), plain(String(total))]))
    for (const [code, total] of Object.entries(manifest.totals[field] ?? {})) {
      strictEqual(found[code], plain(total), `${name}: ${field} in ${code}`)
      sums++
    }
  }
  console.log(`${name}: ${manifest.transfers} rows, ${sums} sums as in the manifest`)
}

/** A column has the same scale in every table. */
const plain = (amount: string): string => (amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount)

/** What the script beside an export says of how a program loads it, after the table. */
const scriptOf = (file: string, program: string): { readonly create: string; readonly load: string } => {
  const create = readFileSync(`${file}.sql`, "utf8")
  const load = new RegExp(`^-- ${program}: +(.*)$`, "m").exec(create)?.[1]
  if (load === undefined) throw new Error(`${file}.sql does not say how to load it by ${program}`)
  return { create, load }
}

const folder = mkdtempSync(join(tmpdir(), "transferkit-tables-"))
try {
  for (const name of ["transfers.csv", "it's.parquet"]) {
    const file = join(folder, name)
    execFileSync(process.execPath, [transfers, "export", "--sandbox", "--create-table", "--out", file], {
      stdio: ["ignore", "ignore", "inherit"],
    })
    const manifest = JSON.parse(readFileSync(`${file}.manifest.json`, "utf8")) as Manifest

    const duck = await (await DuckDBInstance.create(":memory:")).connect()
    const duckdb: Database = {
      run: (sql) => duck.run(sql),
      rows: async (sql) => (await duck.runAndReadAll(sql)).getRowObjects(),
    }
    const { create, load } = scriptOf(file, "DuckDB")
    await duckdb.run(`SET file_search_path = '${folder}'`)
    await duckdb.run(create)
    await check(`DuckDB, ${name}`, duckdb, manifest, load)
    duck.closeSync()

    const postgres = await PGlite.create()
    await postgres.exec(create)
    if (name.endsWith(".csv")) {
      // What psql sends from the file, PGlite takes as a blob.
      const copy = scriptOf(file, "psql").load.replace(
        /^\\copy transfers FROM '.*' WITH/,
        "COPY transfers FROM '/dev/blob' WITH",
      )
      const database: Database = {
        run: (sql) => postgres.query(sql, [], { blob: new Blob([readFileSync(file)]) }),
        rows: async (sql) => (await postgres.query<Record<string, unknown>>(sql)).rows,
      }
      await check(`PostgreSQL, ${name}`, database, manifest, copy)
    }
    await postgres.close()
  }
} finally {
  rmSync(folder, { recursive: true })
}
