/** How a mirror answers searches that a service would reject, and pages as a service does. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import { beforeAll, expect, test } from "vitest"
import * as MirrorTransferApi from "../src/MirrorTransferApi.ts"
import { sqlite } from "./Database.ts"
import * as Lab from "./Lab.ts"

const { partner_id } = Lab
const database = sqlite()
let lab: Lab.Lab
beforeAll(async () => {
  lab = Lab.make(await database.fresh(), { count: 45 })
  await Lab.sync(lab)
})

const search = (request: SearchRequest) =>
  Lab.run(
    lab,
    Effect.flatMap(MirrorTransferApi.make({ partner_id }), (api) => Effect.result(api.search(request))),
    { readOnly: true },
  )

const rejected = (message: string) =>
  expect.objectContaining({
    failure: expect.objectContaining({
      _tag: "InvalidRequest",
      status: 400,
      errors: [{ code: "invalid_parameter", message: expect.stringContaining(message) }],
    }),
  })

test.each([0, 21, 1.5, -1])("rejects a limit of %s", async (limit) => {
  expect(await search({ limit })).toEqual(rejected(`limit must be a whole number from 1 to 20, not ${limit}`))
})

test("rejects a creation time that is none, and a cursor of another search", async () => {
  expect(await search({ created_at: ["gte:yesterday"] })).toEqual(rejected("yesterday"))
  const page = Lab.ok(await search({ limit: 1 }))
  const after_cursor = page.page_info.end_cursor ?? ""
  for (const request of [
    { after_cursor, created_at: ["gte:2024-01-01T00:00:00Z"] },
    { after_cursor, external_id: "order-1" },
    { after_cursor: `${after_cursor}A` },
    { after_cursor: "" },
  ]) {
    expect(await search(request)).toEqual(rejected("after_cursor was not issued here"))
  }
})

test("serves every transfer once, the newest first, and says when there are no more", async () => {
  const bodies: Array<string> = []
  const sizes: Array<number> = []
  let after_cursor: string | undefined
  do {
    const page = Lab.ok(await search(after_cursor === undefined ? { limit: 15 } : { limit: 15, after_cursor }))
    bodies.push(...page.results.map((transfer) => JSON.stringify(transfer)))
    sizes.push(page.results.length)
    after_cursor = page.page_info.has_next_page ? page.page_info.end_cursor : undefined
  } while (after_cursor !== undefined)
  expect(sizes).toEqual([15, 15, 15])
  expect(bodies.toSorted()).toEqual([...Lab.served(lab).values()].toSorted())
  const created = bodies.map((body) => Date.parse(JSON.parse(body).created_at))
  expect(created).toEqual(created.toSorted((a, b) => b - a))
})

test("finds by external_id, and nothing in no time at all", async () => {
  const { external_id } = JSON.parse([...Lab.served(lab).values()][7] ?? "")
  const page = Lab.ok(await search({ external_id }))
  expect(page.results.map((transfer) => transfer.external_id)).toEqual([external_id])
  const nothing = { created_at: ["gte:2024-06-01T00:00:00Z", "lt:2024-06-01T00:00:00Z"] }
  expect(Lab.ok(await search(nothing))).toEqual({ results: [], page_info: { has_next_page: false } })
  expect(Lab.ok(await search({ external_id: "nobody's" }))).toEqual({
    results: [],
    page_info: { has_next_page: false },
  })
})

test("has the capabilities of the service after a sync, and asks for one before it", async () => {
  const capabilities = (partner: string) =>
    Lab.run(
      lab,
      Effect.flatMap(MirrorTransferApi.make({ partner_id: partner }), (api) => Effect.result(api.capabilities)),
      { readOnly: true },
    )
  const served = await Lab.run(
    lab,
    Effect.flatMap(TransferApi, (api) => api.capabilities),
  )
  expect(Lab.ok(await capabilities(partner_id))).toEqual(served)
  expect(await capabilities("other")).toMatchObject({
    failure: {
      _tag: "ConnectionFailed",
      message: `${lab.address}: it has no capabilities: sync it first.`,
      isPermanent: true,
    },
  })
})
