/** Faults of pages, of their delivery, and of transfers between pages. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Rule } from "@transferkit/fake/FaultRule"
import { describe, expect, test } from "vitest"
import { call, pageThrough, raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

const start = (...faults: ReadonlyArray<Rule>) => startFakeServer({ transfers: 45, faults })

const page = async (url: string, cursor?: string) => {
  const { json } = await call(`${url}${search}?limit=10${cursor === undefined ? "" : `&after_cursor=${cursor}`}`)
  return {
    ids: json.results.map((transfer: { readonly id: string }) => transfer.id),
    cursor: json.page_info.end_cursor,
    more: json.page_info.has_next_page,
  }
}

describe("pages", () => {
  test("repeated_cursor returns the cursor that was sent", async () => {
    await using fake = await start({ when: { request: 2 }, faults: [{ fault: "repeated_cursor" }] })
    const first = await page(fake.url)
    expect(await page(fake.url, first.cursor)).toMatchObject({ cursor: first.cursor, more: true })
  })

  test("cursor_cycle leads back to the first cursor", async () => {
    await using fake = await start({ when: { request: 3 }, faults: [{ fault: "cursor_cycle" }] })
    const first = await page(fake.url)
    const second = await page(fake.url, first.cursor)
    const third = await page(fake.url, second.cursor)
    expect(third).toMatchObject({ cursor: first.cursor, more: true })
    expect((await page(fake.url, third.cursor)).ids).toEqual(second.ids)
  })

  test("missing_cursor announces a next page without a cursor", async () => {
    await using fake = await start({ faults: [{ fault: "missing_cursor" }] })
    expect(await page(fake.url)).toMatchObject({ cursor: undefined, more: true })
  })

  test.each([1, 3])("empty_page at request %i skips no transfer", async (at) => {
    await using calm = await start()
    await using fake = await start({ when: { request: at }, faults: [{ fault: "empty_page" }] })
    const { ids, cursors } = await pageThrough(fake.url, "limit=10")
    expect(ids).toEqual((await pageThrough(calm.url, "limit=10")).ids)
    expect(cursors).toHaveLength(6)
    expect(new Set(cursors).size).toBe(6)
  })

  test("duplicate_rows keeps to the limit, and skips no transfer", async () => {
    await using fake = await start({ faults: [{ fault: "duplicate_rows", count: 2 }] })
    expect((await page(fake.url)).ids).toHaveLength(10)
    const { ids } = await pageThrough(fake.url, "limit=10")
    expect(new Set(ids).size).toBe(45)
    expect(ids.length).toBeGreaterThan(50)
  })

  test("extra_rows exceeds the limit, and lists every transfer once", async () => {
    await using fake = await start({ faults: [{ fault: "extra_rows", count: 5 }] })
    expect((await page(fake.url)).ids).toHaveLength(15)
    const { ids } = await pageThrough(fake.url, "limit=10")
    expect(ids).toHaveLength(45)
    expect(new Set(ids).size).toBe(45)
  })

  test("expired_cursor rejects cursors, not first pages", async () => {
    await using fake = await start({ faults: [{ fault: "expired_cursor" }] })
    const first = await page(fake.url)
    const { status, json } = await call(`${fake.url}${search}?limit=10&after_cursor=${first.cursor}`)
    expect([status, json.errors[0].code]).toEqual([400, "expired_cursor"])
  })
})

describe("delivery", () => {
  test.each(["before", "headers", "body"] as const)("reset %s", async (at) => {
    await using fake = await start({ faults: [{ fault: "reset", at }] })
    const { text, error } = await raw(fake.url, request(search))
    expect(error).toBe("ECONNRESET")
    if (at === "before") expect(text).toBe("")
    if (at === "headers") expect(text).not.toContain("\r\n\r\n")
  })

  test("truncate announces more than it sends", async () => {
    await using fake = await start({ faults: [{ fault: "truncate", bytes: 100 }] })
    const { text } = await raw(fake.url, request(search))
    const [head = "", body] = text.split("\r\n\r\n")
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(1000)
    expect(body).toHaveLength(100)
    await expect(call(fake.url + search)).rejects.toBeInstanceOf(Error)
  })

  test("drip sends the whole body, slowly", async () => {
    await using fake = await start({ faults: [{ fault: "drip", bytes: 4000, every_ms: 20 }] })
    const before = performance.now()
    const { text } = await raw(fake.url, request(search))
    expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "").results).toHaveLength(20)
    expect(performance.now() - before).toBeGreaterThan(80)
  })
})

describe("between pages", () => {
  test("inserts a transfer after request 2 without shifting others", async () => {
    await using calm = await start()
    await using fake = await start({
      when: { request: 2 },
      faults: [{ fault: "insert", transfers: [{ id: "first" }, { id: "last", created_at: "2020-01-01T00:00:00Z" }] }],
    })
    const { ids } = await pageThrough(fake.url, "limit=10")
    expect(ids).toEqual([...(await pageThrough(calm.url, "limit=10")).ids, "last"])
    expect((await page(fake.url)).ids[0]).toBe("first")
  })

  test("removes the last transfer of a page, and paging continues after it", async () => {
    await using calm = await start()
    await using fake = await start({ when: { request: 1 }, faults: [{ fault: "remove" }] })
    const { ids } = await pageThrough(fake.url, "limit=10")
    expect(ids).toEqual((await pageThrough(calm.url, "limit=10")).ids)
    expect((await pageThrough(fake.url)).ids).toEqual(ids.filter((_, index) => index !== 9))
  })

  test("changes a transfer, the same one in every run", async () => {
    const run = async () => {
      await using fake = await start({ faults: [{ fault: "change", fields: { status: "declined", note: "late" } }] })
      const { ids } = await pageThrough(fake.url, "limit=10")
      return { ids, after: (await call(`${fake.url}${search}?limit=10`)).json.results[9] }
    }
    const first = await run()
    expect(first.after).toMatchObject({ id: first.ids[9], status: "declined", note: "late" })
    expect(first.ids).toHaveLength(45)
    expect(await run()).toEqual(first)
  })
})
