/** Settings with which the service cannot be called are rejected by their name, before anything is sent. */
import { inspect } from "node:util"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expect, test } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"

const secret = 's3cr3t-pässwörd-"quoted"'

test.each([
  ["partnerId", { partnerId: "a:b" }],
  ["partnerId", { partnerId: "" }],
  ["partnerId", { partnerId: "a\nb" }],
  ["secretKey", { secretKey: Redacted.make("") }],
  ["secretKey", { secretKey: Redacted.make(`${secret}\n`) }],
  ["baseUrl", { baseUrl: "example.com" }],
  ["baseUrl", { baseUrl: "ftp://example.com" }],
  ["baseUrl", { baseUrl: "http://example.com" }],
  ["baseUrl", { baseUrl: "http://127.0.0.1.example.com" }],
  ["baseUrl", { baseUrl: "https://user:pass@example.com" }],
  ["baseUrl", { baseUrl: "https://example.com?a=b" }],
  ["baseUrl", { baseUrl: "https://example.com#a" }],
  ["baseUrl", { baseUrl: "http://x.localhost" }],
  ["baseUrl", { baseUrl: "https://example.com/v1" }],
  ["baseUrl", { baseUrl: "https://example.com/prefix/v1/" }],
  ["partnerId", { partnerId: "a\ud83d" }],
  ["secretKey", { secretKey: Redacted.make(`${secret}\udc00`) }],
])("rejects a wrong %s before anything is sent: %j", async (setting, wrong) => {
  const config = { baseUrl: "https://example.com", partnerId: "p", secretKey: Redacted.make(secret), ...wrong }
  const error = await Effect.runPromise(
    Effect.flip(Layer.build(HttpTransferApi.layer(config)).pipe(Effect.scoped, Effect.provide(FetchTransport.layer()))),
  )
  expect(error).toMatchObject({ _tag: "InvalidConfiguration", setting })
  expect(error.message).not.toContain("s3cr3t")
})

test.each(["http://localhost:1", "http://127.0.0.1", "http://[::1]:80/x", "https://example.com/a/b/"])(
  "accepts the base URL %s",
  async (baseUrl) => {
    const config = { baseUrl, partnerId: "p", secretKey: Redacted.make(secret) }
    const built = Layer.build(HttpTransferApi.layer(config)).pipe(Effect.scoped, Effect.provide(FetchTransport.layer()))
    expect(Exit.isSuccess(await Effect.runPromiseExit(built))).toBe(true)
  },
)

test("layerConfig reads the environment, and names a missing variable without showing the secret", async () => {
  const build = (env: Record<string, string>) =>
    Layer.build(HttpTransferApi.layerConfig()).pipe(
      Effect.scoped,
      Effect.provide(Layer.merge(FetchTransport.layer(), ConfigProvider.layer(ConfigProvider.fromEnv({ env })))),
    )
  const env = { TRANSFERS_BASE_URL: "https://example.com", TRANSFERS_PARTNER_ID: "p", TRANSFERS_SECRET_KEY: secret }
  await Effect.runPromise(build(env))
  const { TRANSFERS_PARTNER_ID: _, ...without } = env
  const error = await Effect.runPromise(Effect.flip(build(without)))
  expect(error.message).toContain("TRANSFERS_PARTNER_ID")
  expect(inspect(error, { depth: 9 })).not.toContain("s3cr3t")
})
