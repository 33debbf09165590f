import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startFakeServer } from "../../packages/fake/src/FakeServer.ts"
import * as BrunoCollection from "../BrunoCollection.ts"
import * as Repository from "../Repository.ts"

const { language } = BrunoCollection
const folder = join(Repository.root, BrunoCollection.folder)
const read = (file: string): string => readFileSync(join(folder, file), "utf8")

test("every request that Bruno reads from it succeeds at the fake, with the credentials of the environment", async () => {
  await using fake = await startFakeServer({ transfers: 5000, seed: 2024 })
  const { variables } = language.bruToEnvJsonV2(read("environments/fake.bru"))
  const values = new Map([...variables.map(({ name, value }) => [name, value] as const), ["base_url", fake.url]])
  const filled = (text: string): string => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values.get(name) ?? "")
  const { username, password } = language.collectionBruToJson(read("collection.bru")).auth.basic
  const requests = Repository.files(folder).filter((file) => /^[^/]+\.bru$/.test(file) && file !== "collection.bru")
  expect(requests).toHaveLength(2)
  for (const file of requests) {
    const { http, params = [] } = language.bruToJsonV2(read(file))
    expect(http.auth).toBe("inherit")
    const response = await fetch(filled(http.url), {
      method: http.method,
      headers: { authorization: `Basic ${btoa(filled(`${username}:${password}`))}` },
    })
    expect(response.status, file).toBe(200)
    const sent = [...new URL(filled(http.url)).searchParams].map(([name, value]) => ({ name, value }))
    const enabled = params.filter(({ enabled }) => enabled).map(({ name, value }) => ({ name, value }))
    expect(sent).toEqual(enabled)
    if (enabled.length > 0) expect(Object(await response.json()).results).toHaveLength(20)
  }
})

test("no environment holds a secret of a live service", () => {
  expect(read("environments/live.bru")).toContain("vars:secret [\n  secret_key\n]")
})
