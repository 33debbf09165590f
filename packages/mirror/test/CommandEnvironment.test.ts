import { expect, test } from "vitest"
import { inherited } from "../src/internal/CommandEnvironment.ts"

const secret = "s3cret"

test.each([
  ["TRANSFERS_SECRET_KEY", secret],
  ["TRANSFERS_MCP_TOKEN", secret],
  ["TRANSFERS_FAKE_PARTNER", `demo:${secret}`],
  ["TRANSFERS_FAKE_ADMIN_TOKEN", secret],
  ["TRANSFERS_FAKE_RECORD_KEY", secret],
  ["PGPASSWORD", secret],
  ["OTEL_EXPORTER_OTLP_HEADERS", secret],
  ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", secret],
  ["TRANSFERS_MIRROR", `postgres://me:${secret}@db.example/t`],
  ["TRANSFERS_MIRROR", `mysql://me/${secret}`],
  ["TRANSFERS_AUDIT_MIRROR", `postgres://me@db.example/t?password=${secret}`],
  ["DATABASE_URL", `postgresql://me:${secret}@db.example/t`],
])("a command does not get %s=%s", (name, value) => {
  expect(inherited({ [name]: value })).toEqual({})
})

test.each([
  [`https://me:${secret}@collector.example:4318/v1?a=b@c`, "https://collector.example:4318/v1?a=b@c"],
  [`http://${secret}@proxy.example:3128`, "http://proxy.example:3128"],
  [`http://me:${secret}/a@b#?@proxy.example`, "http://proxy.example"],
  [`http://me:a@${secret}@proxy.example`, "http://proxy.example"],
  [`one=http://a:${secret}@b.example two=https://c:${secret}@d.example`, "one=http://b.example two=https://d.example"],
])("an address keeps no login: %s", (value, shown) => {
  expect(inherited({ HTTPS_PROXY: value })).toEqual({ HTTPS_PROXY: shown })
})

test("a command gets the rest as it is", () => {
  const env = {
    PATH: "/usr/bin:/bin",
    EMAIL: "me@example.com",
    REGISTRY: "https://npm.example:4873/@scope/name",
    TRANSFERS_BASE_URL: "http://[::1]:6100/a@b",
    TRANSFERS_PARTNER_ID: "acme",
    TRANSFERS_MIRROR: "postgres://me@db.example/t",
    TRANSFERS_AUDIT_MIRROR: "transfers.db",
  }
  expect(inherited(env)).toEqual(env)
})
