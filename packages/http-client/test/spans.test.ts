/** The attributes by which a trace names the service. */
import { expect, test } from "vitest"
import * as Telemetry from "../src/internal/call/Telemetry.ts"

test.each([
  ["https://api.example.com", "api.example.com", 443],
  ["http://localhost/base", "localhost", 80],
  ["https://api.example.com:8443", "api.example.com", 8443],
])("a call of %s is a client's span with the address and the port", (base, address, port) => {
  expect(Telemetry.spanOptions(base)("/v1/capabilities")).toEqual({
    kind: "client",
    attributes: {
      "http.request.method": "GET",
      "server.address": address,
      "server.port": port,
      "url.path": "/v1/capabilities",
    },
  })
})
