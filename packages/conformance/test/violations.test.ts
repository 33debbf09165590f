import * as Conformance from "@transferkit/conformance/Conformance"
import * as Dialect from "@transferkit/domain/Dialect"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"

type Search = TransferApi["Service"]["search"]

const sound = InMemoryTransferApi.make({ transfers: 300 })

const changingRequests =
  (change: (request: SearchRequest) => SearchRequest): ((search: Search) => Search) =>
  (search) =>
  (request) =>
    search(change(request))

const changingPages =
  (change: (page: TransferPage, request: SearchRequest) => TransferPage): ((search: Search) => Search) =>
  (search) =>
  (request) =>
    Effect.map(search(request), (page) => change(page, request))

const renaming = (from: string, to: string) =>
  changingRequests(({ created_at, ...request }) => ({
    ...request,
    ...(created_at && {
      created_at: created_at.map((value) => (value.startsWith(`${from}:`) ? value.replace(from, to) : value)),
    }),
  }))

/** A service that breaks one promise, and the law that detects it. */
const breaches: ReadonlyArray<readonly [what: string, breach: (search: Search) => Search, law: string]> = [
  ["reads gte as gt", renaming("gte", "gt"), "created_at=gte returns exactly the transfers it matches"],
  ["reads gt as gte", renaming("gt", "gte"), "created_at=gt returns exactly the transfers it matches"],
  ["reads lt as lte", renaming("lt", "lte"), "created_at=lt returns exactly the transfers it matches"],
  ["reads lte as lt", renaming("lte", "lt"), "created_at=lte returns exactly the transfers it matches"],
  [
    "ignores the second bound",
    changingRequests(({ created_at = [], ...request }) => ({ ...request, created_at: created_at.slice(0, 1) })),
    "a lower and an upper bound together return exactly the transfers between them",
  ],
  [
    "ignores the limit",
    changingRequests(({ limit: _, ...request }) => request),
    "a page has at most as many transfers as the limit, for every limit from 1 to 20",
  ],
  [
    "ignores a limit that is too high",
    changingRequests((request) => ({ ...request, limit: Math.min(request.limit ?? 20, 20) })),
    "a limit of 21 is rejected",
  ],
  [
    "ignores external_id",
    changingRequests(({ external_id: _, ...request }) => request),
    "external_id returns the transfers that have it, and no others",
  ],
  [
    "ignores an invented cursor",
    changingRequests(({ after_cursor, ...request }) => ({
      ...request,
      ...(after_cursor !== undefined && after_cursor !== "invented" && { after_cursor }),
    })),
    "an invented cursor is rejected",
  ],
  [
    "sends no cursor",
    changingPages(({ results, page_info }) => ({
      results,
      page_info: { has_next_page: page_info.has_next_page },
    })),
    "a page with a next page has a cursor and is not empty",
  ],
  [
    "omits the last transfer of a full page",
    changingPages(({ results, page_info }) => ({ results: results.slice(0, 19), page_info })),
    "pages have neither gaps nor overlaps, at any limit",
  ],
  [
    "sends the first transfer of a page twice",
    changingPages(({ results, page_info }) => ({ results: [...results.slice(0, 1), ...results], page_info })),
    "a finished stream says that it is complete, and how many transfers it delivered",
  ],
  [
    "ends too early for large pages",
    changingPages(({ results, page_info }, { limit = 20, after_cursor }) => ({
      results,
      page_info: {
        ...page_info,
        has_next_page: page_info.has_next_page && !(limit === 3 && after_cursor !== undefined),
      },
    })),
    "pages of 3 deliver every transfer once",
  ],
]

test.each(breaches)("detects a service that %s", async (_, breach, law) => {
  const report = await Effect.runPromise(
    Conformance.run().pipe(
      Effect.provideService(TransferApi, { ...sound, search: breach(sound.search) }),
      Effect.provideService(Dialect.Dialect, { ...Dialect.standard, lteToken: "lte" }),
      Effect.catch((error) => Effect.succeed({ transfers: 0, results: [], error })),
    ),
  )
  if ("error" in report) return expect(report.error.message).toContain("broke its contract")
  const violated = report.results.filter(({ outcome }) => outcome._tag === "Violated").map(({ law }) => law)
  expect(violated).toContain(law)
  expect(Conformance.isConforming(report)).toBe(false)
  expect(Conformance.print(report)).toContain(`VIOLATED  ${law}: `)
})
