import * as Conformance from "@transferkit/conformance/Conformance"
import * as Dialect from "@transferkit/domain/Dialect"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import { FakeServer } from "@transferkit/fake/FakeServer"
import * as FetchTransport from "@transferkit/http-client/FetchTransport"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import type { HttpTransport } from "@transferkit/http-client/HttpTransport"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import * as Thorough from "../../../scripts/test/Thorough.ts"

const overHttp = (options: Parameters<typeof FakeServer.layer>[0], transport: Layer.Layer<HttpTransport>) =>
  Layer.unwrap(
    Effect.map(FakeServer, ({ url }) =>
      HttpTransferApi.layer({ baseUrl: url, partnerId: "demo", secretKey: Redacted.make("demo-secret") }).pipe(
        Layer.provide(transport),
      ),
    ),
  ).pipe(Layer.provide(FakeServer.layer(options)))

const lteTokens = ["lte", "le", undefined]
const many = Thorough.times(90, 450)
const amounts = [0, 1, many]

const services: ReadonlyArray<
  readonly [name: string, layer: Layer.Layer<TransferApi, unknown>, lteToken: string | undefined, count: number]
> = TransferStore.sortOrders.flatMap((order, row) =>
  amounts.flatMap((transfers, column) =>
    lteTokens.flatMap((lteToken, diagonal) => {
      // Each pair of properties is among a third of the services.
      if (!Thorough.isThorough && (row + column + diagonal) % 3 !== 0) return []
      const options = { order, transfers, settings: { lteToken } }
      const served = { order, transfers, lteToken }
      const name = `${transfers} transfers, ${order}, ${lteToken ?? "no operator"} for less than or equal`
      return [
        [`in memory: ${name}`, InMemoryTransferApi.layer(options), lteToken, transfers],
        [
          `over HTTP: ${name}`,
          overHttp(served, lteToken === "le" ? FetchTransport.layer() : NodeTransport.layer),
          lteToken,
          transfers,
        ],
      ] as const
    }),
  ),
)

describe.each(TransferStore.sortOrders)("a service %s", (order) => {
  test.each([1, 5, many])("keeps every law with %d transfers out of place", async (displaced) => {
    const layer = InMemoryTransferApi.layer({ order, transfers: many, displaced })
    const report = await Effect.runPromise(Conformance.run().pipe(Effect.provide(layer)))
    expect(Conformance.isConforming(report)).toBe(true)
  })
})

test("there is a service for every order, dialect and size, or for every two of them", () => {
  expect(services.length).toBe(2 * 3 * 5 * Thorough.times(1, 3))
  expect(Conformance.laws.length).toBeGreaterThan(25)
})

describe.each(services)("%s", (_, layer, lteToken, count) => {
  test("keeps every law", async () => {
    const report = await Effect.runPromise(
      Conformance.run().pipe(
        Effect.provide(layer),
        Effect.provideService(Dialect.Dialect, { ...Dialect.standard, lteToken }),
      ),
    )
    expect(
      Conformance.print({ ...report, results: report.results.filter(({ outcome }) => outcome._tag === "Violated") }),
    ).toBe(`0 laws on ${count} transfers`)
    const held = report.results.filter(({ outcome }) => outcome._tag === "Holds").length
    expect(held).toBeGreaterThanOrEqual(count === 0 ? 18 : report.results.length - 3)
  })
})

test("checks a large service on a sample", async () => {
  const report = await Effect.runPromise(
    Conformance.run({ size: 200 }).pipe(Effect.provide(InMemoryTransferApi.layer({ transfers: 20_000 }))),
  )
  expect(Conformance.isConforming(report)).toBe(true)
  expect(report.transfers).toBeGreaterThan(50)
  expect(report.transfers).toBeLessThanOrEqual(200)
})
