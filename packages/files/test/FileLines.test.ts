import { closeSync, openSync } from "node:fs"
import { mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fileLines, maxLineBytes } from "../src/node/FileLines.ts"

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-lines-"))
  path = join(folder, "lines")
})
afterAll(() => rm(folder, { recursive: true }))

const linesOf = (options?: { readonly unfinished: boolean }) => {
  const file = openSync(path, "r")
  try {
    return [...fileLines(file, options)]
  } finally {
    closeSync(file)
  }
}

test("lines have their numbers and offsets, in bytes, with the break", async () => {
  await writeFile(path, "a\n\nb\u20ac\r\nc")
  const lines = [
    { number: 1, text: "a", start: 0, end: 2 },
    { number: 2, text: "", start: 2, end: 3 },
    { number: 3, text: "b\u20ac\r", start: 3, end: 9 },
  ]
  expect(linesOf()).toEqual(lines)
  expect(linesOf({ unfinished: true })).toEqual([...lines, { number: 4, text: "c", start: 9, end: 10 }])
})

test("a text that ends with a break has no line after it", async () => {
  await writeFile(path, "a\n")
  expect(linesOf({ unfinished: true })).toEqual([{ number: 1, text: "a", start: 0, end: 2 }])
  await writeFile(path, "")
  expect(linesOf({ unfinished: true })).toEqual([])
})

test("lines may lie across blocks of a megabyte, a character too", async () => {
  const [long, last] = [`${"x".repeat(1024 * 1024 - 2)}\u20ac${"y".repeat(2 * 1024 * 1024)}`, "z".repeat(10)]
  await writeFile(path, `a\n${long}\n${last}\n${last}`)
  expect(linesOf({ unfinished: true }).map(({ text }) => text)).toEqual(["a", long, last, last])
})

test("a line that is not UTF-8 is named, and a replacement character that was written is text", async () => {
  await writeFile(path, "a\n\ufffd\n")
  expect(linesOf().map(({ text }) => text)).toEqual(["a", "\ufffd"])
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0x62, 0xe2, 0x82]]) {
    await writeFile(path, Buffer.from([0x61, 0x0a, ...bytes, 0x0a]))
    expect(() => linesOf()).toThrow("line 2 is not UTF-8")
    await writeFile(path, Buffer.from([0x61, 0x0a, ...bytes]))
    expect(() => linesOf({ unfinished: true })).toThrow("line 2 is not UTF-8")
  }
})

test("a line may have 32 MiB, and not a block more", async () => {
  const file = await open(path, "w")
  await file.truncate(maxLineBytes)
  expect(linesOf({ unfinished: true })).toHaveLength(1)
  await file.truncate(maxLineBytes + 1)
  await file.close()
  expect(() => linesOf({ unfinished: true })).toThrow("line 1 is longer than 32 MiB")
})
