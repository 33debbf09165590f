/** The same transfers behind each kind of source, as whole and as incomplete as sources get. */
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { demo, type Run } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as MirrorClient from "./MirrorClient.ts"

/** Where mirrors are made. */
export interface Database {
  readonly name: string
  /** A new one each time. */
  readonly address: () => Promise<string>
}

/** What each source is for `--from`. */
export interface Sources {
  /** Synced once. */
  readonly mirror: string
  /** Synced for the last time three days ago. */
  readonly stale: string
  /** Its first load was killed before it had read March. */
  readonly loading: string
  /** An export of September. */
  readonly september: string
  /** An export of one status. */
  readonly complete: string
  /** An export of September without its manifest. */
  readonly unknown: string
}

/** A fake, and sources of its transfers. */
export interface Fixture {
  readonly fake: RunningFakeServer
  readonly folder: string
  readonly sources: Sources
  readonly ledger: string
  readonly capabilities: string
  readonly transfers: (...args: ReadonlyArray<string>) => Promise<Run>
  readonly close: () => Promise<void>
}

/** The days of which sources are asked, in flags: the file has September; the mirror that is loading lacks March. */
export const september = ["--since", "2024-09", "--until", "2024-09"]
export const october = ["--since", "2024-10", "--until", "2024-10"]
export const march = ["--since", "2024-03", "--until", "2024-03"]
export const yesterday = ["--since", "yesterday", "--until", "yesterday"]
export const running = ["--since", "2024-09"]

/** Makes all of them. */
export const make = async (database: Database): Promise<Fixture> => {
  const folder = await mkdtemp(join(tmpdir(), "transfers-sources-"))
  const fake = await startFakeServer({ transfers: 300, seed: 3, now: "2024-12-31T12:00:00Z" })
  const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })
  const done = async (...args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await transfers(...args)
    expect(code, stderr).toBe(0)
    return stdout
  }
  const [mirror, stale, loading] = [await database.address(), await database.address(), await database.address()]
  for (const to of [mirror, stale, loading]) await done("sync", "--to", to)
  const before = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await change(stale, `UPDATE sync_runs SET started_at = '${before}', ended_at = '${before}'`)
  await interrupt(loading)
  const file = (name: string) => join(folder, name)
  const files = {
    september: file("september.csv"),
    complete: file("complete.ndjson"),
    unknown: file("unknown.csv"),
    ledger: file("ledger.csv"),
    capabilities: file("capabilities.json"),
  }
  await done("export", ...september, "--out", files.september)
  await done("export", "--status", "complete", "--out", files.complete)
  await copyFile(files.september, files.unknown)
  await writeFile(files.ledger, "external_id,amount,currency\nno-such-order,1.00,USD\n")
  await writeFile(files.capabilities, await done("capabilities", "--output", "json"))
  return {
    fake,
    folder,
    transfers,
    ledger: files.ledger,
    capabilities: files.capabilities,
    sources: { mirror, stale, loading, september: files.september, complete: files.complete, unknown: files.unknown },
    close: async () => {
      await fake.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Makes a mirror that of a first load that was killed before it had read March. */
const interrupt = async (address: string) => {
  const [gte, lt] = ["2024-03-01T00:00:00Z", "2024-04-01T00:00:00Z"]
  const until = "2099-01-01T00:00:00Z"
  const checkpoint = { version: 2, query: `CreatedAt(lt:${until})`, transfers: 1, remaining: [{ gte, lt }] }
  const position = JSON.stringify({ started_at: new Date().toISOString(), until, checkpoint })
  await change(address, "DELETE FROM sync_runs")
  await change(address, "DELETE FROM sync_state WHERE name NOT IN ('base_url', 'capabilities')")
  await change(address, `INSERT INTO sync_state (partner_id, name, value) VALUES ('demo', 'backfill', '${position}')`)
  const [first, end] = [gte, lt].map((text) => `${Date.parse(text)}000000`)
  await change(address, `DELETE FROM mirrored_transfers WHERE created_ns >= ${first} AND created_ns < ${end}`)
}

/** Changes a mirror behind the back of the program. */
export const change = (address: string, statement: string): Promise<unknown> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(MirrorClient.of(address), (sql) => sql.unsafe(statement))))
