/** The OpenAPI document, in the hands of a validator and a generator that are not ours. */
import * as fs from "node:fs/promises"
import { Validator } from "@seriousme/openapi-schema-validator"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { document } from "@transferkit/http-api/OpenApiDocument"
import createClient from "openapi-fetch"
import openapiTypescript, { astToString } from "openapi-typescript"
import { expect, test } from "vitest"
import { basic, call } from "../../../scripts/test/partner.ts"
import type { paths } from "./golden/transfers-api.ts"

const generated = new URL("golden/transfers-api.ts", import.meta.url)

test("an independent validator accepts what the fake serves", async () => {
  await using fake = await startFakeServer()
  const { json } = await call(`${fake.url}/openapi.json`)
  const validator = new Validator()
  expect(await validator.validate(json)).toEqual({ valid: true })
  expect(validator.version).toBe("3.1")
  expect(Object.keys(json.paths)).toEqual(["/v1/capabilities", "/v1/transfers/search"])
})

test("the types that an independent generator makes of it are those in this folder", async () => {
  const types = astToString(await openapiTypescript(JSON.stringify(document)))
  const header = "/** Made of the contract's OpenAPI document by openapi-typescript. */\n"
  if (process.env["UPDATE_GOLDEN"] !== undefined) await fs.writeFile(generated, header + types)
  expect(await fs.readFile(generated, "utf8")).toBe(header + types)
})

test("a client made of those types pages through the fake", async () => {
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
