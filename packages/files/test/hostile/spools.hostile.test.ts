/** Damaged spools are resumed or rejected with a reason, and none with what it did not hold. */
import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Outcome, readEach } from "../../../../scripts/test/mutated.ts"
import type { FileError } from "../../src/FileError.ts"
import * as Spool from "../../src/node/Spool.ts"

const cases = 200

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-spools-"))
  for (const rows of ["json", "cells"] as const) await make(rows)
})
afterAll(() => rm(folder, { recursive: true }))

const pathOf = (rows: string): string => join(folder, `good-${rows}.spool`)

const make = (rows: "json" | "cells") =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const spool = yield* Spool.create(pathOf(rows), {
          ...(rows === "cells" && { rows }),
          filters: { status: ["complete"] },
          created_at: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
          started_at: "2024-10-02T00:00:00Z",
        })
        for (const day of [1, 2, 3]) {
          yield* Spool.append(spool, [transfer(day, 1), transfer(day, 2)], {
            version: 2,
            query: "q",
            transfers: day * 2,
            remaining: [
              {
                gte: Timestamp.parseUnsafe(`2024-09-0${day + 1}T00:00:00Z`),
                lt: Timestamp.parseUnsafe("2024-10-01T00:00:00Z"),
              },
            ],
          })
        }
      }),
    ),
  )

const transfer = (day: number, second: number): Transfer.Transfer =>
  Result.getOrThrow(
    Transfer.fromJson(
      `{"id":"tr_${day}_${second}","kind":"cash_in","status":"complete","created_at":"2024-09-0${day}T00:00:0${second}Z","source_total":{"amount":"1.00","currency_code":"fiat/USD"}}`,
    ),
  )

/** What comes of a reader, as long as it ends with a result or an error of the file. */
const outcomeOf = (path: string, read: Effect.Effect<unknown, FileError>): Promise<Outcome> =>
  Effect.runPromise(
    Effect.match(read, {
      onSuccess: (value): Outcome => ({ read: value }),
      onFailure: (error): Outcome => {
        expect(error).toMatchObject({ _tag: "FileError", path })
        return { reason: error.reason }
      },
    }),
  )

const readSpool = (path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const spool = yield* Spool.resume(path)
      const transfers = yield* Stream.runCollect(Spool.sorted(spool))
      return { count: Spool.count(spool), ids: transfers.flat().map(({ id }) => id) }
    }),
  )

/** A spool with the checksums that fit its lines, as whoever means harm would make it. */
const sealed = (text: string): string => {
  const after = (before: string, lines: ReadonlyArray<string>) =>
    createHash("sha256")
      .update([before, ...lines].join("\n"))
      .digest("base64url")
  const [head = "", ...lines] = text.split("\n")
  let checksum = after("", [head])
  let batch: Array<string> = []
  const out = [head]
  for (const line of lines) {
    if (!line.startsWith("#")) {
      batch.push(line)
      out.push(line)
      continue
    }
    const place = line.slice(line.indexOf(" ") + 1)
    checksum = after(checksum, [...batch, place])
    out.push(`#${checksum} ${place}`)
    batch = []
  }
  return out.join("\n")
}

describe.each(["json", "cells"])("of %s", (rows) => {
  test(`resumes or rejects each of ${cases} damaged spools, with nothing that the good one does not hold`, async () => {
    const good = await readFile(pathOf(rows))
    const path = join(folder, "damaged.spool")
    const whole = Effect.runSync(readSpool(pathOf(rows))).ids
    const { read, reasons } = await readEach({ name: `spool of ${rows}`, good, cases }, async (damaged, note) => {
      await writeFile(path, damaged)
      return outcomeOf(
        path,
        Effect.map(readSpool(path), ({ ids }) => expect(ids, note).toEqual(whole.slice(0, ids.length))),
      )
    })
    expect(read).toBeGreaterThan(10)
    expect(reasons.size).toBeGreaterThan(2)
  })

  test(`resumes or rejects each of ${cases} damaged spools whose checksums fit`, async () => {
    const good = await readFile(pathOf(rows))
    expect(sealed(good.toString())).toBe(good.toString())
    const path = join(folder, "sealed.spool")
    const { read, reasons } = await readEach(
      { name: `sealed spool of ${rows}`, good, cases },
      async (damaged, note) => {
        await writeFile(path, sealed(damaged.toString()))
        return outcomeOf(
          path,
          Effect.map(readSpool(path), ({ count, ids }) => {
            expect(ids, note).toHaveLength(count)
            expect(new Set(ids).size, note).toBe(count)
          }),
        )
      },
    )
    expect(read).toBeGreaterThan(10)
    expect(reasons.size).toBeGreaterThan(10)
  })
})
