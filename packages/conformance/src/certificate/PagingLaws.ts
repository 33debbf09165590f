/** The laws of pages: limits, cursors and their life, order, and that pages have neither gaps nor overlaps. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { broken, type HttpLaw, kept, make, sameIds } from "./HttpLaw.ts"
import * as Sample from "./ServiceSample.ts"
import { NotDecidable, type Trial } from "./Trial.ts"

const havePages = ({ pages }: Sample.ServiceSample) =>
  pages.length === 0 ? new NotDecidable({ reason: "the first response is not a page" }) : Effect.succeed(pages)

/** The cursor after the first page. */
const firstCursor = Effect.fnUntraced(function* (sample: Sample.ServiceSample) {
  const [first] = yield* havePages(sample)
  const { end_cursor = undefined, has_next_page = false } = first?.page.page_info ?? {}
  if (first !== undefined && has_next_page && end_cursor !== undefined) return { first, cursor: end_cursor }
  return yield* new NotDecidable({ reason: "there is only one page" })
})

const isSorted = (values: ReadonlyArray<bigint>, sign: 1n | -1n): boolean =>
  values.every((value, index) => index === 0 || (value - (values[index - 1] ?? value)) * sign >= 0n)

/** The order of some transfers, if they can tell. */
const orderOf = (transfers: ReadonlyArray<Transfer>): ServiceBehaviour["order"] => {
  const created = transfers.map(({ created_at }) => created_at.epochNanoseconds)
  if (new Set(created).size < 3) return undefined
  if (isSorted(created, -1n)) return "newest-first"
  if (isSorted(created, 1n)) return "oldest-first"
  const updated = transfers.map(({ updated_at }) => updated_at?.epochNanoseconds ?? 0n)
  if (isSorted(updated, -1n)) return "by-updated"
  const ids = transfers.map(({ id }) => id)
  return ids.every((id, index) => index === 0 || (ids[index - 1] ?? id) <= id) ? "by-id" : "shuffled"
}

/** All transfers of a window by pages of a size. A page too many is one for each transfer and three. */
const readBy = Effect.fnUntraced(function* (trial: Trial, { from, to, transfers }: Sample.Window, limit: number) {
  const found: Array<Transfer> = []
  let cursor: string | undefined
  for (let pages = 0; pages < transfers.length + 3; pages++) {
    const query: Sample.Query = [
      ...Sample.between(from, to).slice(0, 2),
      ["limit", String(limit)],
      ...(cursor === undefined ? [] : [["after_cursor", cursor] as const]),
    ]
    const { page } = yield* Sample.searched(trial, query)
    found.push(...page.results)
    cursor = page.page_info.end_cursor
    if (!page.page_info.has_next_page || cursor === undefined) break
  }
  return found
})

const limitIsKept = (limit: number): HttpLaw =>
  make(`limit-${limit}`, `A page has at most as many transfers as a limit of ${limit}`, (trial) =>
    Effect.gen(function* () {
      const { page } = yield* Sample.searched(trial, [["limit", String(limit)]])
      return page.results.length <= limit ? kept("at most the limit") : broken("more than the limit")
    }),
  )

export const laws: ReadonlyArray<HttpLaw> = [
  ...[1, 7].map(limitIsKept),
  make("limit-20", "A page has at most as many transfers as a limit of 20", (_, sample) =>
    Effect.map(havePages(sample), (pages) => {
      const larger = pages.find(({ page }) => page.results.length > 20)
      if (larger !== undefined) return broken("more than the limit", larger.exchange)
      const full = pages.filter(({ page }) => page.page_info.has_next_page).map(({ page }) => page.results.length)
      return kept("at most the limit", full.length === 0 ? {} : { largest_page: Math.max(...full) })
    }),
  ),
  make("limit-default", "A page without a limit has 1 to 20 transfers, if there are any", (trial, sample) =>
    Effect.gen(function* () {
      yield* havePages(sample)
      const { response, page } = yield* Sample.search(trial, [])
      if (page === undefined) return broken(`status ${response.status}`)
      const { length } = page.results
      if (length > 20) return broken("more than 20")
      if (!page.page_info.has_next_page) return yield* new NotDecidable({ reason: "there is only one page" })
      return length === 0
        ? broken("none, although there is a next page")
        : kept(String(length), { default_limit: length })
    }),
  ),
  make("cursor-present", "A page with a next page has a cursor and is not empty", (_, sample) =>
    Effect.map(havePages(sample), (pages) => {
      for (const { page, exchange } of pages) {
        if (!page.page_info.has_next_page) continue
        if (page.page_info.end_cursor === undefined) return broken("there is no cursor", exchange)
        if (page.results.length === 0) return broken("the page is empty", exchange)
      }
      return kept(pages.length === 1 ? "there is only one page" : "a cursor on each page")
    }),
  ),
  make("cursor-advances", "Each page has another cursor than the pages before", (_, sample) =>
    Effect.gen(function* () {
      const pages = yield* havePages(sample)
      const cursors = pages.flatMap(({ page: { page_info } }) =>
        page_info.has_next_page ? [page_info.end_cursor] : [],
      )
      if (cursors.length < 2) return yield* new NotDecidable({ reason: "there are fewer than two cursors" })
      return new Set(cursors).size === cursors.length
        ? kept("another one")
        : broken("a cursor comes twice", pages.at(-1)?.exchange)
    }),
  ),
  make("pages-unique", "No transfer is on two pages, or twice on one", (_, sample) =>
    Effect.map(havePages(sample), (pages) => {
      const seen = new Set<string>()
      for (const { page, exchange } of pages) {
        for (const { id } of page.results) {
          if (seen.has(id)) return broken("a transfer is there twice", exchange)
          seen.add(id)
        }
      }
      return kept("each once")
    }),
  ),
  make("pages-whole", "Pages of any size hold the same transfers, each once", (trial, sample) =>
    Effect.gen(function* () {
      if (Result.isFailure(sample.window)) return yield* new NotDecidable({ reason: sample.window.failure })
      const window = sample.window.success
      if (window.transfers.length < 2)
        return yield* new NotDecidable({ reason: "the window has fewer than two transfers" })
      const limit = Math.ceil(window.transfers.length / 3)
      return sameIds(yield* readBy(trial, window, limit), window.transfers, "the same transfers")
    }),
  ),
  make("order-stable", "The same request lists the same transfers in the same order", (trial, sample) =>
    Effect.gen(function* () {
      const [first] = yield* havePages(sample)
      const { page } = yield* Sample.searched(trial, [["limit", "20"]])
      const before = first?.page.results.map(({ id }) => id) ?? []
      const now = page.results.map(({ id }) => id)
      // New transfers may have moved others to the next page.
      const both = (ids: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
        ids.filter((id) => others.includes(id))
      if (both(before, now).join(" ") !== both(now, before).join(" ")) return broken("another order")
      const order = orderOf(sample.transfers)
      return kept(order ?? "the same order", order === undefined ? {} : { order })
    }),
  ),
  make("cursor-repeat", "The same cursor leads to the same page", (trial, sample) =>
    Effect.gen(function* () {
      const { cursor } = yield* firstCursor(sample)
      const { response, page } = yield* Sample.search(trial, [
        ["limit", "20"],
        ["after_cursor", cursor],
      ])
      if (page === undefined) return broken(`status ${response.status} the second time`)
      const known = sample.pages[1]?.page.results ?? []
      return page.results.map(({ id }) => id).join(" ") === known.map(({ id }) => id).join(" ")
        ? kept("the same page")
        : broken("another page")
    }),
  ),
  make("cursor-elsewhere", "A cursor with another filter is rejected, or keeps to that filter", (trial, sample) =>
    Effect.gen(function* () {
      const { first, cursor } = yield* firstCursor(sample)
      const at = first.page.results[0]?.created_at
      if (at === undefined) return yield* new NotDecidable({ reason: "the first page is empty" })
      const { response, page } = yield* Sample.search(trial, [
        ["created_at", `gte:${at.text}`],
        ["limit", "20"],
        ["after_cursor", cursor],
      ])
      if (page === undefined) {
        const isRejected = response.status >= 400 && response.status < 500
        return isRejected ? kept("it is rejected", { cursor_scope: "search" }) : broken(`status ${response.status}`)
      }
      return page.results.every(({ created_at }) => Timestamp.compare(created_at, at) >= 0)
        ? kept("it is accepted", { cursor_scope: "any" })
        : broken("it is accepted, and the filter is not")
    }),
  ),
]

/** A cursor at the end of a certification. */
export const cursorLife: HttpLaw = make(
  "cursor-life",
  "A cursor is still valid at the end of the certification",
  (trial, sample) =>
    Effect.gen(function* () {
      const { cursor } = yield* firstCursor(sample)
      const { response, page } = yield* Sample.search(trial, [
        ["limit", "20"],
        ["after_cursor", cursor],
      ])
      return page === undefined ? broken(`status ${response.status}`) : kept("it is valid")
    }),
)
