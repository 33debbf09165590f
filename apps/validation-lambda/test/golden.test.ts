/** Every event in golden/ is handled as the file beside it says, to the byte of the body's JSON. */
import { readdirSync, readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { capabilitiesText } from "./service.ts"

const folder = new URL("golden/", import.meta.url)
const names = readdirSync(folder)
const cases = names.filter((name) => name.endsWith(".event.json")).map((name) => name.replace(".event.json", ""))
const capabilities = JSON.parse(capabilitiesText)
const transfers = JSON.parse(readFileSync(new URL("fixtures/transfers.json", import.meta.url), "utf8"))
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), "utf8"))

describe("golden events", () => {
  it("come each with a response, and with no other file", () => {
    expect(names.toSorted()).toEqual(
      cases.flatMap((name) => [`${name}.response.json`, `${name}.event.json`]).toSorted(),
    )
    expect(cases.length).toBeGreaterThan(17)
  })

  it.each(cases)("%s", async (name) => {
    await using service = await startFakeServer({ partners: ["partner:key"], capabilities, data: transfers })
    const response = await makeLambda(service.url)
      .invoke(read(`${name}.event.json`))
      .then(readable, (error: Error) => ({ errorType: error.name, errorMessage: error.message }))
    await expect(`${JSON.stringify(response, null, 2)}\n`).toMatchFileSnapshot(
      new URL(`${name}.response.json`, folder).pathname,
    )
  })
})

/** With the body as JSON, which a person can read. */
const readable = (response: unknown): unknown =>
  typeof response === "object" && response !== null && "body" in response && typeof response.body === "string"
    ? { ...response, body: JSON.parse(response.body) }
    : response
