/** Debian's PgBouncer in transaction mode, in front of a database of the tests. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as FreePort from "../FreePort.ts"

export interface PgBouncer {
  /** The same database by the pooler. Statements are not prepared by name. */
  readonly address: string
  readonly stop: () => Promise<void>
}

const program = "/usr/sbin/pgbouncer"

/** One server connection for all clients, so that what one leaves in its session is met by the next. */
export const start = async (address: string): Promise<PgBouncer> => {
  await promisify(execFile)(program, ["--version"]).catch(() => {
    throw new Error("These tests need PgBouncer: install Debian's package pgbouncer.")
  })
  const target = new URL(address)
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"))
  const port = await FreePort.find()
  const settings = join(folder, "pgbouncer.ini")
  await writeFile(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
logfile = ${join(folder, "log")}
`,
  )
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(await readFile("/etc/passwd", "utf8")) ?? []
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, Number(uid), Number(gid))
  const child = spawn(program, [settings], {
    stdio: "ignore",
    ...(isRoot ? { uid: Number(uid), gid: Number(gid) } : {}),
  })
  const closed = once(child, "close")
  await reached(port)
  const own = new URL(address)
  own.port = String(port)
  own.searchParams.set("prepare", "false")
  return {
    address: own.href,
    stop: async () => {
      child.kill("SIGKILL")
      await closed
      await rm(folder, { recursive: true })
    },
  }
}

const reached = async (port: number): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, "127.0.0.1")
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`PgBouncer does not listen on port ${port}`)
}
