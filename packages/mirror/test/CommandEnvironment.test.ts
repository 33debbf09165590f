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
  ["OTEL_EXPORTER_OTLP_ENDPOINT", `https://me:${secret}@collector.example:4318`],
  ["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", `https://${secret}@collector.example:4318`],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", `https://collector.example:4318/?api-key=${secret}`],
  ["TRANSFERS_MIRROR", `postgres://me:${secret}@db.example/t`],
  ["TRANSFERS_MIRROR", `mysql://me/${secret}`],
  ["TRANSFERS_AUDIT_MIRROR", `postgres://me@db.example/t?password=${secret}`],
])("a command does not get %s=%s", (name, value) => {
  expect(inherited({ [name]: value })).toEqual({})
})

test("a command gets the rest as it is", () => {
  const env = {
    PATH: "/usr/bin:/bin",
    EMAIL: "me@example.com",
    DATABASE_URL: `postgresql://me:${secret}@db.example/t`,
    HTTPS_PROXY: `http://me:${secret}@proxy.example:3128`,
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example:4318",
    TRANSFERS_BASE_URL: "http://[::1]:6100/a@b",
    TRANSFERS_PARTNER_ID: "acme",
    TRANSFERS_MIRROR: "postgres://me@db.example/t",
    TRANSFERS_AUDIT_MIRROR: "transfers.db",
  }
  expect(inherited(env)).toEqual(env)
})
