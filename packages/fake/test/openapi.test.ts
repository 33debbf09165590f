/** The OpenAPI document, checked by independent tools. */
import * as fs from "node:fs/promises"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { document } from "@transferkit/http-api/OpenApiDocument"
import createClient from "openapi-fetch"
import openapiTypescript, { astToString } from "openapi-typescript"
import { expect, test } from "vitest"
import { basic, call } from "../../../scripts/test/partner.ts"
import type { paths } from "./golden/transfers-api.ts"

const generated = new URL("golden/transfers-api.ts", import.meta.url)

test("passes an independent validator", async () => {
  await using fake = await startFakeServer()
  const { json } = await call(`${fake.url}/openapi.json`)
  const validator = new Validator()
  expect(await validator.validate(json)).toEqual({ valid: true })
  expect(validator.version).toBe("3.1")
  expect(Object.keys(json.paths)).toEqual(["/v1/capabilities", "/v1/transfers/search"])
})

test("passes redocly's recommended rules without a warning", async () => {
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, config: await createConfig({ extends: ["recommended"] }) })
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([])
  const broken = JSON.stringify({ ...document, info: { ...document.info, license: undefined } })
  expect(
    await lintFromString({ source: broken, config: await createConfig({ extends: ["recommended"] }) }),
  ).not.toEqual([])
})

test("says by which fields generators read all pages", () => {
  const { get } = document.paths["/v1/transfers/search"] ?? {}
  expect(get).toMatchObject({
    "x-speakeasy-pagination": {
      type: "cursor",
      inputs: [{ name: "after_cursor", in: "parameters", type: "cursor" }],
      outputs: { nextCursor: "$.page_info.end_cursor", results: "$.results" },
    },
  })
  // The purposes that the reference of Stainless's configuration lists, under PaginationProperty.
  const marked = (purpose: "items" | "has_next_page" | "next_cursor_param" | "next_cursor_field") => ({
    "x-stainless-pagination-property": { purpose },
  })
  const parameter = get?.parameters.find(({ name }) => name === "after_cursor")
  expect(parameter?.schema).toMatchObject(marked("next_cursor_param"))
  expect(document.components.schemas).toMatchObject({
    TransferPage: { properties: { results: { type: "array", ...marked("items") } } },
    PageInfo: {
      properties: { end_cursor: marked("next_cursor_field"), has_next_page: marked("has_next_page") },
    },
  })
})

test("generates the types in this folder", async () => {
  const types = astToString(await openapiTypescript(JSON.stringify(document)))
  const header = "/** Made of the contract's OpenAPI document by openapi-typescript. */\n"
  if (process.env["UPDATE_GOLDEN"] !== undefined) await fs.writeFile(generated, header + types)
  expect(await fs.readFile(generated, "utf8")).toBe(header + types)
})

test("lets a generated client page through the fake", async () => {
  await using fake = await startFakeServer({ transfers: 50 })
  const client = createClient<paths>({ baseUrl: fake.url, headers: { authorization: basic("demo:demo-secret") } })
  const capabilities = await client.GET("/v1/capabilities")
  expect(capabilities.data?.transfer_limits["fiat/USD"]?.min_transfer).toBe("5.00")
  const ids = new Set<string>()
  let after_cursor: string | undefined
  for (let more = true; more;) {
    const created_at = ["gte:2024-01-01T00:00:00Z", "lt:2025-01-01T00:00:00Z"]
    const query = { limit: 20, created_at, ...(after_cursor !== undefined && { after_cursor }) }
    const { data } = await client.GET("/v1/transfers/search", { params: { query } })
    for (const transfer of data?.results ?? []) ids.add(transfer.id)
    after_cursor = data?.page_info.end_cursor ?? undefined
    more = data?.page_info.has_next_page ?? false
  }
  expect(ids.size).toBe(50)
  const refused = await client.GET("/v1/transfers/search", { params: { query: { limit: 21 } } })
  expect(refused.error?.errors[0]?.message).toContain("limit")
})
