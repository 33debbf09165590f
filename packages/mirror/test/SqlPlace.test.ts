/** Where a statement is wrong: the mark is below the mistake, whatever stands before it. */
import { expect, test } from "vitest"
import * as SqlPlace from "../src/internal/SqlPlace.ts"

const long = "SELECT " + "created_at, ".repeat(20) + "FRM transfers WHERE " + "status = 'complete' AND ".repeat(20)

test.each([
  ["a short line", "SELECT id FRM transfers x", "FRM"],
  ["a line among others", "SELECT id\n  FROM transfers\n  GRUP BY id\n", "BY"],
  ["tabs", "SELECT\tid\tFRM x", "FRM"],
  ["a long line", long, "FRM"],
  ["control characters, which are written as escapes", "SELECT '\u001b[31m', 1 FRM x", "FRM"],
  ["the first word", "SELEC 1", "SELEC"],
  ["an indented line", "    SELEC 1", "SELEC"],
  ["Windows line ends", "SELECT 1\r\nFRM x\r\n", "FRM"],
])("%s", (_, sql, word) => {
  const [line = "", mark = "", ...others] = SqlPlace.shown(sql, sql.indexOf(word)).split("\n")
  expect(line.slice(mark.indexOf("^"))).toMatch(new RegExp(`^${word}`))
  expect(mark).toMatch(/^ *\^$/)
  expect(others).toEqual([])
  expect(line.length).toBeLessThan(80)
  // oxlint-disable-next-line no-control-regex
  expect(line).not.toMatch(/[\u0000-\u001f]/)
})

test("the end of a statement has a mark after it", () => {
  expect(SqlPlace.shown("SELECT (1", 9)).toBe("  SELECT (1\n           ^")
})

test("PostgreSQL counts characters, of which one may be two units", () => {
  expect(SqlPlace.ofError("SELECT '👩', x", Object.assign(new Error(), { position: "13" }))).toBe(13)
  expect(SqlPlace.ofError("SELECT x", new Error("no position"))).toBeUndefined()
  expect(SqlPlace.ofError("SELECT x", Object.assign(new Error(), { position: "-1" }))).toBeUndefined()
})

test("of a word that occurs several times, it is the one that a compiler stops at", () => {
  const sql = "SELECT x AS y, y y y"
  const stopsAt = (text: string) => (text.endsWith("y y y") ? 'near "y": syntax error' : undefined)
  expect(SqlPlace.ofSqlite(sql, 'near "y": syntax error', stopsAt)).toBe(sql.length - 1)
})

test("a name is found as a word, and not in a text", () => {
  const sql = "SELECT foot, 'foo', FOO FROM t"
  expect(SqlPlace.ofSqlite(sql, "no such column: foo", () => undefined)).toBe(sql.indexOf("FOO"))
  expect(SqlPlace.ofSqlite(sql, "disk I/O error", () => undefined)).toBeUndefined()
})
