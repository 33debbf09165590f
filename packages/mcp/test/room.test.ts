/** What an answer has no room for is not lost: it says so, and how to get it. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import * as Tools from "./Tools.ts"

/** Pages through a search to its end. */
const searched = Effect.fnUntraced(function* (transfers: ReadonlyArray<Transfer>, limit: { readonly limit?: number }) {
  const { search_transfers } = yield* Tools.over(transfers)
  const pages: Array<Awaited<Effect.Success<ReturnType<typeof search_transfers>>>> = []
  for (let cursor: string | undefined; ;) {
    const page = yield* search_transfers({ ...limit, ...(cursor !== undefined && { cursor }) })
    pages.push(page)
    cursor = Object(page.data).next_cursor
    if (cursor === undefined) return pages
  }
})

const idsOf = (page: { readonly data: unknown }): ReadonlyArray<string> =>
  Object(page.data).transfers.map(({ id }: Transfer) => id)

const long = { memo: "x".repeat(990), note: "y".repeat(990) }

test.each([
  { name: "texts", count: 110, more: long, limit: undefined },
  { name: "texts", count: 110, more: long, limit: 100 },
  { name: "a list", count: 30, more: { lines: Array.from({ length: 9 }, () => "z".repeat(900)) }, limit: 20 },
  { name: "fields", count: 150, more: {}, limit: 100 },
  { name: "a time to come", count: 30, more: { created_at: "2099-01-01T00:00:00Z" }, limit: 20 },
])("$count transfers with $name are shown once, with a limit of $limit", async ({ count, more, limit }) => {
  const transfers = Array.from({ length: count }, (_, minute) => Tools.transfer(minute, more))
  const pages = await Effect.runPromise(searched(transfers, limit === undefined ? {} : { limit }))
  expect(pages.flatMap(idsOf).toSorted()).toEqual(transfers.map(({ id }) => id).toSorted())
  for (const page of pages) {
    expect(JSON.stringify(page.data).length).toBeLessThan(42_000)
    const isLast = page === pages.at(-1)
    expect(page).toMatchObject({ truncated: !isLast })
    if (!isLast) expect(page.hint).toContain("give next_cursor as cursor")
    for (const shown of Object(page.data).transfers) expect(shown).toMatchObject(more)
  }
})

test("says how many of the limit had room, and advises no higher one, which would show no more", async () => {
  const transfers = Array.from({ length: 60 }, (_, minute) => Tools.transfer(minute, long))
  const [full] = await Effect.runPromise(searched(transfers, { limit: 50 }))
  expect(full?.hint).toMatch(/Only \d+ of 50 fit into the 40000 characters/)
  expect(full?.hint).not.toContain("raise limit")
  const [few] = await Effect.runPromise(searched(transfers, { limit: 3 }))
  expect(few?.hint).toContain("raise limit up to 100")
  const short = Array.from({ length: 101 }, (_, minute) => Tools.transfer(minute, { source_total: undefined }))
  const [most] = await Effect.runPromise(searched(short, { limit: 100 }))
  expect(most?.hint).not.toContain("raise limit")
})

test("a transfer that is larger than an answer is shown in part, which says so, and the others follow", async () => {
  const fields = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field_${index}`, "y".repeat(50)]))
  for (const large of [0, 1, 2]) {
    const transfers = [0, 1, 2].map((minute) => Tools.transfer(minute, minute === large ? fields : {}))
    const pages = await Effect.runPromise(searched(transfers, {}))
    expect(pages.flatMap(idsOf).toSorted()).toEqual(["tr_0", "tr_1", "tr_2"])
    const page = pages.find((each) => idsOf(each).includes(`tr_${large}`))
    expect(page).toMatchObject({ truncated: true, hint: expect.stringContaining("The first transfer lacks fields") })
    for (const other of pages) if (other !== page) expect(other.hint ?? "").not.toContain("lacks fields")
  }
})

test("a text that is cut is not said to be many transfers", async () => {
  const [page] = await Effect.runPromise(searched([Tools.transfer(1, { memo: "x".repeat(2000) })], {}))
  expect(page).toMatchObject({ truncated: true, hint: expect.stringMatching(/^Texts of more than 1000 characters/) })
})

test("stuck transfers that have no room are found with a later since", async () => {
  const transfers = Array.from({ length: 60 }, (_, minute) => Tools.transfer(minute, { ...long, status: "executing" }))
  const pages = Effect.gen(function* () {
    const { stuck_transfers } = yield* Tools.over(transfers)
    const found = new Set<string>()
    for (let since = "2024"; ;) {
      const { data, truncated, hint = "" } = yield* stuck_transfers({ since, limit: 50 })
      const shown = Object(data).transfers.map((each: { readonly transfer: Transfer }) => each.transfer)
      for (const { id } of shown) found.add(id)
      if (!truncated) return found
      expect(hint).toContain("the created_at of the last one")
      since = shown.at(-1).created_at
    }
  })
  expect((await Effect.runPromise(pages)).size).toBe(60)
})

test("says of a key that very many transfers have that they are some, and that not all of these have room", async () => {
  const transfers = Array.from({ length: 1001 }, (_, minute) => Tools.transfer(minute, { external_id: "many" }))
  const found = Tools.over(transfers).pipe(Effect.flatMap(({ lookup_transfer }) => lookup_transfer({ id: "many" })))
  const { hint } = await Effect.runPromise(found)
  expect(hint).toMatch(/^More than 1000 transfers have this id .* Not all fits into the 40000 characters/)
})
