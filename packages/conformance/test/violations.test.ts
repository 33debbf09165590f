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

const askingOtherwise =
  (change: (request: SearchRequest) => SearchRequest): ((search: Search) => Search) =>
  (search) =>
  (request) =>
    search(change(request))

const answeringOtherwise =
  (change: (page: TransferPage, request: SearchRequest) => TransferPage): ((search: Search) => Search) =>
  (search) =>
  (request) =>
    Effect.map(search(request), (page) => change(page, request))

const renaming = (from: string, to: string) =>
  askingOtherwise(({ created_at, ...request }) => ({
    ...request,
    ...(created_at && {
      created_at: created_at.map((value) => (value.startsWith(`${from}:`) ? value.replace(from, to) : value)),
    }),
  }))

/** A service that breaks one promise, and the law that notices. */
const breaches: ReadonlyArray<readonly [what: string, breach: (search: Search) => Search, law: string]> = [
  ["reads gte as gt", renaming("gte", "gt"), "created_at=gte gives just the transfers it says"],
  ["reads gt as gte", renaming("gt", "gte"), "created_at=gt gives just the transfers it says"],
  ["reads lt as lte", renaming("lt", "lte"), "created_at=lt gives just the transfers it says"],
  ["reads lte as lt", renaming("lte", "lt"), "created_at=lte gives just the transfers it says"],
  [
    "passes over the second bound",
    askingOtherwise(({ created_at = [], ...request }) => ({ ...request, created_at: created_at.slice(0, 1) })),
    "a lower and an upper bound together give just the transfers between them",
  ],
  [
    "passes over the limit",
    askingOtherwise(({ limit: _, ...request }) => request),
    "a page has no more transfers than the limit, for every limit from 1 to 20",
  ],
  [
    "passes over a limit that is too high",
    askingOtherwise((request) => ({ ...request, limit: Math.min(request.limit ?? 20, 20) })),
    "a limit of 21 is refused",
  ],
  [
    "passes over external_id",
    askingOtherwise(({ external_id: _, ...request }) => request),
    "external_id gives the transfers that have it, and no others",
  ],
  [
    "takes any cursor for none",
    askingOtherwise(({ after_cursor, ...request }) => ({
      ...request,
      ...(after_cursor !== undefined && after_cursor !== "never given out" && { after_cursor }),
    })),
    "a cursor that was never given out is refused",
  ],
  [
    "gives no cursor",
    answeringOtherwise(({ results, page_info }) => ({
      results,
      page_info: { has_next_page: page_info.has_next_page },
    })),
    "a page that another follows says where it starts, and is not empty",
  ],
  [
    "leaves out the last transfer of a full page",
    answeringOtherwise(({ results, page_info }) => ({ results: results.slice(0, 19), page_info })),
    "pages follow one another without gap or overlap, whatever the limit",
  ],
  [
    "gives the first transfer of a page twice",
    answeringOtherwise(({ results, page_info }) => ({ results: [...results.slice(0, 1), ...results], page_info })),
    "a stream that has ended says that it is complete, and how many it gave",
  ],
  [
    "ends too early for large pages",
    answeringOtherwise(({ results, page_info }, { limit = 20, after_cursor }) => ({
      results,
      page_info: {
        ...page_info,
        has_next_page: page_info.has_next_page && !(limit === 3 && after_cursor !== undefined),
      },
    })),
    "pages of 3 give every transfer once",
  ],
]

test.each(breaches)("a service that %s is found out", async (_, breach, law) => {
  const report = await Effect.runPromise(
    Conformance.run().pipe(
      Effect.provideService(TransferApi, { ...sound, search: breach(sound.search) }),
      Effect.provideService(Dialect.Dialect, { ...Dialect.standard, lteToken: "lte" }),
      Effect.catch((error) => Effect.succeed({ transfers: 0, findings: [], error })),
    ),
  )
  if ("error" in report) return expect(report.error.message).toContain("broke its contract")
  const violated = report.findings.filter(({ verdict }) => verdict._tag === "Violated").map((finding) => finding.law)
  expect(violated).toContain(law)
  expect(Conformance.isConforming(report)).toBe(false)
  expect(Conformance.print(report)).toContain(`VIOLATED  ${law}: `)
})
