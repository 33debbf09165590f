/** Every event in golden/ is answered as the file beside it says, to the byte of the body's JSON. */
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
  it("are all there, each with its answer and nothing else", () => {
    expect(names.toSorted()).toEqual(cases.flatMap((name) => [`${name}.answer.json`, `${name}.event.json`]).toSorted())
    expect(cases.length).toBeGreaterThan(17)
  })

  it.each(cases)("%s", async (name) => {
    await using service = await startFakeServer({ partners: ["partner:key"], capabilities, data: transfers })
    const answer = await makeLambda(service.url)
      .invoke(read(`${name}.event.json`))
      .then(readable, (error: Error) => ({ errorType: error.name, errorMessage: error.message }))
    await expect(`${JSON.stringify(answer, null, 2)}\n`).toMatchFileSnapshot(
      new URL(`${name}.answer.json`, folder).pathname,
    )
  })
})

/** A body as the JSON it is, so that a person can read it. */
const readable = (answer: unknown): unknown =>
  typeof answer === "object" && answer !== null && "body" in answer && typeof answer.body === "string"
    ? { ...answer, body: JSON.parse(answer.body) }
    : answer
