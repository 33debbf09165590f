// npm install --save-dev testcontainers; docker build -f apps/fake-server/Dockerfile -t transfers-fake .
import assert from "node:assert/strict"
import { test } from "node:test"
import { GenericContainer, Wait } from "testcontainers"

const startFake = () =>
  new GenericContainer("transfers-fake")
    .withCommand(["--transfers", "45", "--now", "2025-01-01"])
    .withExposedPorts(8787)
    .withWaitStrategy(Wait.forHttp("/_fake/health", 8787))
    .start()

test("reads a page", async () => {
  await using fake = await startFake()
  const url = `http://${fake.getHost()}:${fake.getMappedPort(8787)}/v1/transfers/search?limit=20`
  const response = await fetch(url, { headers: { authorization: `Basic ${btoa("demo:demo-secret")}` } })
  assert.equal(Object(await response.json()).results.length, 20)
})
