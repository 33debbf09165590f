/** Databases that answer what cannot be: each command ends soon, with an error that is none of ours. */
import { afterEach, expect, test } from "vitest"
import * as PostgresWire from "../../../../scripts/test/PostgresWire.ts"
import { run } from "../Cli.ts"

let wire: PostgresWire.PostgresWire
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
