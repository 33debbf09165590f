/** A ledger that is replaced or written while it is read is no ledger: its columns would be those of another file. */
import { mkdtemp, readFile, rename, rm, symlink, unlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { beforeEach, expect, test } from "vitest"
import * as LedgerFile from "../src/node/LedgerFile.ts"
import { SteadyFile } from "../src/node/SteadyFile.ts"
import { workbook } from "./zip.ts"

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "steady-file-"))
  path = join(folder, "book")
  return () => rm(folder, { recursive: true })
})

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const sheet = (...rows: ReadonlyArray<ReadonlyArray<string>>) =>
  workbook(rows.map((cells) => `<row>${cells.map(cell).join("")}</row>`).join(""))

/** Two ledgers of one size, by other columns, in each way to read a file. */
const ledgers = {
  CSV: ["key,amount,fee\na,1.50,0.10\n", "key,fee,amount\na,1.50,0.10\n"],
  "CSV with quotes": ['key,amount,fee\n"a",1.50,0.10\n', 'key,fee,amount\n"a",1.50,0.10\n'],
  "a workbook": [
    sheet(["key", "amount", "fee"], ["a", "1.50", "0.10"]),
    sheet(["key", "fee", "amount"], ["a", "1.50", "0.10"]),
  ],
} as const

const changes = {
  "is replaced": async (other: string | Buffer) => {
    await writeFile(`${path}.new`, other)
    await rename(`${path}.new`, path)
  },
  "is a link that is moved": async (other: string | Buffer) => {
    await writeFile(`${path}.new`, other)
    await rename(path, `${path}.old`)
    await symlink(`${path}.new`, path)
  },
  "is written, with its old time": async (other: string | Buffer) => {
    await writeFile(path, other)
    await utimes(path, 1e9, 1e9)
  },
  grows: async () => writeFile(path, await readFile(path).then((bytes) => Buffer.concat([bytes, Buffer.from("\n")]))),
}

const options = { ...LedgerFile.detectAll, currency: "EUR" }
const reason = "it changed while it was being read: run the command again when nothing writes to it"

for (const [kind, [before, after]] of Object.entries(ledgers)) {
  test.each(Object.entries(changes))(`${kind} that %s after its columns were found is rejected`, async (_, change) => {
    await writeFile(path, before)
    await utimes(path, 1e9, 1e9)
    const ledger = await Effect.runPromise(LedgerFile.open(path, options))
    expect(await Effect.runPromise(Stream.runCollect(ledger.entries))).toHaveLength(1)
    await change(after)
    for (const use of [Stream.runDrain(ledger.entries), ledger.sha256]) {
      expect(await Effect.runPromise(Effect.result(use))).toMatchObject({ _tag: "Failure", failure: { path, reason } })
    }
  })
}

test("a file that changes during a pass is rejected at its end, also if it has its name again", async () => {
  await writeFile(path, "first")
  const during = async (change: () => Promise<void>) => {
    const file = await SteadyFile.of(path)
    const bytes: Array<Buffer> = []
    const read = async () => {
      for await (const chunk of file.chunks()) {
        await change()
        bytes.push(chunk)
      }
      await file.check()
    }
    return read().then(
      () => "whole",
      ({ message }: Error) => message,
    )
  }
  expect(await during(async () => {})).toBe("whole")
  expect(await during(() => writeFile(path, "other"))).toBe(reason)
  expect(await during(() => changes["is replaced"]("other"))).toBe(reason)
  const away = async () => {
    await rename(path, `${path}.old`)
    await rename(`${path}.old`, path)
  }
  expect(await during(away)).toBe(reason)
  expect(await during(() => unlink(path))).toMatch(/changed while|ENOENT/)
})
