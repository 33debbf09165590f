/** The paths that README.md lists respond, and so does the address in its example. */
import { readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const listed = [...readme.matchAll(/^\| (`\/[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`(\/[\w./]*)`/g)].map(([, path = ""]) => path),
)
const [, user = "", example = ""] = /^curl -u (\S+) 'http:\/\/127\.0\.0\.1:8787([^']+)'$/m.exec(readme) ?? []

test("the fake serves every path that README.md names", async () => {
  await using fake = await startFakeServer({ transfers: 5 })
  // The console has tests of its own, in a browser.
  const paths = [...listed.filter((path) => path !== "/"), example]
  const statuses = await Promise.all(
    paths.map(
      async (path) => (await fetch(`${fake.url}${path}`, { headers: { authorization: `Basic ${btoa(user)}` } })).status,
    ),
  )
  expect(paths).toEqual([
    "/v1/capabilities",
    "/v1/transfers/search",
    "/docs",
    "/openapi.json",
    "/v1/transfers/search?limit=3",
  ])
  expect(statuses).toEqual(paths.map(() => 200))
})
