/** A PostgreSQL for tests: the one of `TRANSFERKIT_TEST_DATABASE_URL`, or Debian's, in a temporary folder. */
import { execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { globSync } from "node:fs"
import { chown, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as FreePort from "../FreePort.ts"

export interface Server {
  /** Runs statements in a database. */
  readonly execute: (address: string, statements: string) => Promise<void>
  /** The address of a new, empty database. */
  readonly createDatabase: () => Promise<string>
  /** Its first process, if it was started here. */
  readonly pid?: number | undefined
  /** Ends it as `pg_ctl restart` does, and starts it again: `fast` ends sessions, `immediate` is a crash. */
  readonly restart?: (mode: "fast" | "immediate", whileItIsAway?: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

const run = promisify(execFile)

/** The folder of Debian's programs, if they are installed. */
export const binaries: string | undefined = globSync("/usr/lib/postgresql/*/bin")[0]

/** Whether tests have a server. */
export const isThere = binaries !== undefined || process.env["TRANSFERKIT_TEST_DATABASE_URL"] !== undefined

/** Tests need no data after a crash, so nothing is flushed to the disk by default. */
export const start = async (settings: ReadonlyArray<string> = ["fsync=off"]): Promise<Server> => {
  const given = process.env["TRANSFERKIT_TEST_DATABASE_URL"]
  if (given !== undefined) return on(given)
  const folder = await mkdtemp(join(tmpdir(), "postgres-"))
  const identity = await userOf(folder)
  if (binaries === undefined) {
    throw new Error(
      "These tests need PostgreSQL: install Debian's package postgresql, or name a server in TRANSFERKIT_TEST_DATABASE_URL.",
    )
  }
  const data = join(folder, "data")
  await run(join(binaries, "initdb"), ["-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync"], identity)
  const port = await FreePort.find()
  const options = [...settings, "listen_addresses=127.0.0.1"].flatMap((one) => ["-c", one])
  const program = [join(binaries, "postgres"), "-D", data, "-p", String(port), "-k", folder, ...options]
  const server = on(`postgres://tests@127.0.0.1:${port}/postgres`)
  const launch = async () => {
    const [command = "", ...args] = program
    const child = spawn(command, args, { ...identity, stdio: "ignore" })
    const closed = once(child, "close")
    await Effect.runPromise(
      Effect.retry(Effect.tryPromise(server.createDatabase), {
        schedule: Schedule.spaced("100 millis"),
        times: 300,
      }),
    )
    const end = async (signal: "SIGINT" | "SIGQUIT") => {
      child.kill(signal)
      await closed
    }
    return { pid: child.pid, end }
  }
  let launched = await launch()
  return {
    ...server,
    pid: launched.pid,
    restart: async (mode, whileItIsAway) => {
      await launched.end(mode === "fast" ? "SIGINT" : "SIGQUIT")
      await whileItIsAway?.()
      launched = await launch()
    },
    stop: async () => {
      await launched.end("SIGQUIT")
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const psql = async (address: string, statements: string): Promise<void> => {
  const program = binaries === undefined ? "psql" : join(binaries, "psql")
  await run(program, [address, "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--command", statements])
}

const on = (url: string): Server => ({
  execute: psql,
  createDatabase: async () => {
    const name = `mirror_${randomBytes(6).toString("hex")}`
    await psql(url, `CREATE DATABASE ${name}`)
    const own = new URL(url)
    own.pathname = `/${name}`
    return own.href
  },
  stop: async () => {},
})

/** PostgreSQL does not run as root. */
const userOf = async (
  folder: string,
): Promise<{ readonly uid?: number; readonly gid?: number; readonly cwd: string }> => {
  if (process.getuid?.() !== 0) return { cwd: folder }
  const passwd = await readFile("/etc/passwd", "utf8")
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(passwd) ?? []
  await chown(folder, Number(uid), Number(gid))
  return { uid: Number(uid), gid: Number(gid), cwd: folder }
}
