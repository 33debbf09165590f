/**
 * Databases that answer what cannot be, or nothing: each command ends soon, with an error that is none of ours, and a query
 * with its limit.
 */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterEach, expect, test } from "vitest"
import * as PostgresWire from "../../../../scripts/test/PostgresWire.ts"
import { run } from "../Cli.ts"

let wire: { readonly address: string; readonly close: () => Promise<void> }
afterEach(() => wire.close())

const int8 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
const text = (value: string) => Buffer.from(value)
const done = PostgresWire.message("C", "SELECT 1")

/** Answers each statement with these rows, whatever it asks for. */
const always = (types: Readonly<Record<string, number>>, ...rows: ReadonlyArray<Buffer>): PostgresWire.Answer => {
  const described = Buffer.concat([PostgresWire.message("t", Buffer.alloc(2)), PostgresWire.columns(types)])
  const read = Buffer.concat([...rows, done])
  return ({ type }) => (type === "D" ? described : type === "E" ? read : undefined)
}

const asked = { name: 25, holds: 20, isOpen: 16, last: 20 }

test.each<[string, PostgresWire.Answer]>([
  ["rows without columns", always({}, PostgresWire.row())],
  [
    "columns of other types",
    always({ name: 20, holds: 25, last: 25 }, PostgresWire.row(int8(7n), text("x"), text("y"))),
  ],
  ["nulls", always(asked, PostgresWire.row(null, null, null, null))],
  ["huge numbers", always({ name: 25, last: 20 }, PostgresWire.row(text("public"), int8(2n ** 63n - 1n)))],
  ["fewer values than columns", always(asked, PostgresWire.row(text("public")))],
  ["values of a wrong length", always(asked, PostgresWire.row(text("public"), text("x"), text("yy"), text("z")))],
  ["an unknown type", always({ name: 987_654 }, PostgresWire.row(Buffer.alloc(9)))],
  [
    "a hundred thousand rows",
    always(
      asked,
      ...Array.from({ length: 100_000 }, () => PostgresWire.row(text("a"), int8(1n), Buffer.from([1]), int8(1n))),
    ),
  ],
  ["a message of gigabytes", ({ type }) => (type === "D" ? Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff]) : undefined)],
  ["bytes that are no protocol", ({ type }) => (type === "D" ? Buffer.alloc(4096, 0x41) : undefined)],
  ["an error without fields", ({ type }) => (type === "D" ? PostgresWire.message("E", Buffer.alloc(1)) : undefined)],
])("%s are an error of the database, at once", { timeout: 60_000 }, async (_, answer) => {
  wire = await PostgresWire.start(answer)
  const from = ["--from", wire.address]
  const runs = await Promise.all([
    run(["search", "--limit", "1", ...from]),
    run(["query", "SELECT 1", ...from]),
    run(["sync", "--sandbox", "--to", wire.address]),
  ])
  for (const { code, stderr } of runs) {
    expect([2, 4, 5], stderr).toContain(code)
    expect(stderr).not.toMatch(/\n\s+at |internal error|secret/i)
  }
})

/** Accepts connections, and says nothing. */
const startMute = async (): Promise<typeof wire> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {}).resume()))
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await once(server.close(), "close")
  }
  return { address: `postgres://me:secret@127.0.0.1:${port}/transfers?sslmode=disable`, close }
}

const silent = Buffer.alloc(0)

test.each<[string, () => Promise<typeof wire>]>([
  ["from the start", startMute],
  ["after a password", () => PostgresWire.start(({ type }) => (type === "p" ? silent : undefined))],
  ["after the login", () => PostgresWire.start(({ type }) => (type === "p" ? undefined : silent))],
])("a query ends with its --timeout where a database is silent %s", { timeout: 60_000 }, async (_, start) => {
  wire = await start()
  const begun = performance.now()
  const { code, stdout, stderr } = await run(["query", "SELECT 1", "--from", wire.address, "--timeout", "2"])
  expect({ code, stdout, stderr }).toEqual({
    code: 124,
    stdout: "",
    stderr: "error: The query took longer than 2 s. Give it more with --timeout, or ask for less.\n",
  })
  expect(performance.now() - begun).toBeLessThan(5000)
})
