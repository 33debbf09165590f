/** New, empty mirrors to measure: files of SQLite, or databases of a PostgreSQL that is started for it. */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Postgres from "../../scripts/test/Postgres.ts"
import * as ServerProcess from "./ServerProcess.ts"

/** An empty mirror that is removed at the end. */
export interface Mirror extends AsyncDisposable {
  readonly address: string
  /** CPU seconds of the database so far, if it has a process of its own. */
  readonly cpuSeconds: () => number | undefined
  readonly megabytes: () => Promise<number>
}

/** A kind of database. */
export interface Kind {
  readonly name: "SQLite" | "PostgreSQL"
  readonly make: () => Promise<Mirror>
}

/** Rows of a mirror. */
export const query = (address: string, text: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  TransferMirror.use((mirror) => mirror.query(text, { allowSuperuser: true })).pipe(
    Effect.map(({ rows }) => rows),
    Effect.provide(TransferMirror.layer(address)),
    Effect.runPromise,
  )

/** The ids in a mirror, as a hash. */
export const contentOf = async (address: string): Promise<string> =>
  hashOf(await query(address, "SELECT id FROM transfers ORDER BY id"))

export const hashOf = (rows: ReadonlyArray<{ readonly id?: unknown }>): string =>
  `${rows.length} ${createHash("sha256")
    .update(rows.map(({ id }) => id).join("\n"))
    .digest("hex")}`

const sqlite: Kind = {
  name: "SQLite",
  make: async () => {
    const folder = mkdtempSync(join(tmpdir(), "transferkit-bench-"))
    const file = join(folder, "mirror.db")
    return {
      address: `sqlite:${file}`,
      cpuSeconds: () => undefined,
      megabytes: async () => statSync(file).size / 1e6,
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

/** With its own settings, which flush each commit to the disk. */
const postgres: Kind = {
  name: "PostgreSQL",
  make: async () => {
    const server = await Postgres.start([])
    const address = await server.createDatabase()
    const { pid } = server
    return {
      address,
      cpuSeconds: () => (pid === undefined ? undefined : ServerProcess.familyCpuSeconds(pid)),
      megabytes: async () => {
        const [row] = await query(address, "SELECT pg_database_size(current_database()) AS bytes")
        return Number(row?.["bytes"]) / 1e6
      },
      [Symbol.asyncDispose]: () => server.stop(),
    }
  },
}

/** SQLite, and PostgreSQL if it is installed. */
export const kinds: ReadonlyArray<Kind> = Postgres.binaries === undefined ? [sqlite] : [sqlite, postgres]
