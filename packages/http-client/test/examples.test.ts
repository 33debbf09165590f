/** Every example of the client for Effect runs, against a fake of 45 transfers. */
import { join } from "node:path"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll } from "vitest"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import { createTransferClient } from "../src/promise.ts"

const fake = await startFakeServer({ transfers: 45 })
afterAll(() => fake.close())

const baseUrl = fake.url
const config = { baseUrl, partnerId: "demo", secretKey: Redacted.make("demo-secret") }
const api = await Effect.runPromise(Effect.provide(HttpTransferApi.make(config), FetchTransport.layer()))
const settings = { TRANSFERS_BASE_URL: baseUrl, TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
const environment = ConfigProvider.layer(ConfigProvider.fromUnknown(settings))
const ofEffect = { Effect, FetchHttpClient, Layer, TransferApi }

await holdTheExamplesOf(join(import.meta.dirname, "../src"), {
  least: 14,
  ofEveryExport: ["HttpTransferApi"],
  scope: { ...ofEffect, api, baseUrl, config, createTransferClient, environment },
})
