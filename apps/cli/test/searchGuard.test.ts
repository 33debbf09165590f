/** A service that matches external_ids in another way than promised does not decide what `search` shows. */
import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"

const asked = "order-1"
const rows = ["order-10", "order-1", "ORDER-1", "order-2", undefined].map((external_id, index) => ({
  id: `tr_${index}`,
  ...(external_id && { external_id }),
  kind: "cash_in",
  status: "complete",
  created_at: `2024-09-0${5 - index}T00:00:00Z`,
}))

const capabilities = {
  supported_countries: [],
  supported_currencies: [],
  supported_payment_methods: [],
  transfer_limits: {},
}

/** How the service compares the external_id of a transfer with the one that was asked for. */
const ways: Readonly<Record<string, (own: string | undefined, wanted: string) => boolean>> = {
  "ignores it": () => true,
  "matches a prefix": (own = "", wanted) => own.startsWith(wanted),
  "ignores its case": (own = "", wanted) => own.toLowerCase() === wanted.toLowerCase(),
}
let matches = ways["ignores it"]
let times = 1

/** In pages of as many as were asked for. */
const service = createServer((request, response) => {
  response.setHeader("content-type", "application/json")
  const { pathname, searchParams: params } = new URL(request.url ?? "/", "http://service")
  if (pathname.endsWith("/capabilities")) return response.end(JSON.stringify(capabilities))
  const wanted = params.get("external_id")
  const found = rows.filter(({ external_id }) => wanted === null || matches?.(external_id, wanted))
  const start = Number(params.get("after_cursor") ?? 0)
  const end = start + Number(params.get("limit") ?? 20)
  const page_info = { has_next_page: end < found.length, end_cursor: `${end}` }
  const listed = Array.from({ length: times }, () => found.slice(start, end)).flat()
  return response.end(JSON.stringify({ results: listed, page_info }))
})

let env: Readonly<Record<string, string>>
beforeAll(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening")
  env = demo(`http://127.0.0.1:${Object(service.address()).port}`)
})
afterAll(() => service.close().closeAllConnections())

test.each(Object.entries(ways))("shows no transfer of another external_id if the service %s", async (_, way) => {
  matches = way
  const search = async (...args: ReadonlyArray<string>) => {
    const { code, stdout } = await run(["search", "--columns", "id", "-o", "json", ...args], { env })
    expect(code).toBe(0)
    return JSON.parse(stdout).results
  }
  for (const args of [["--external-id", asked], [asked], [asked, "--status", "complete"]]) {
    expect(await search(...args), args.join(" ")).toEqual([{ id: "tr_1" }])
  }
  expect(await search("--external-id", "order-none")).toEqual([])
  expect(await run(["search", asked, "-o", "ndjson", "--columns", "id"], { env })).toMatchObject({
    stdout: '{"id":"tr_1"}\n',
  })
})

test("says that a page has none, and that others follow, if it has only transfers of other external_ids", async () => {
  matches = ways["matches a prefix"]
  const first = await run(["search", asked, "--limit", "1", "-o", "table"], { env })
  expect(first).toMatchObject({ code: 0, stdout: "" })
  expect(first.stderr).toMatch(/No transfers on this page match\.\n.*--page 2/s)
  const quiet = await run(["search", asked, "--limit", "1", "-o", "ndjson", "--quiet"], { env })
  expect(quiet).toEqual({
    code: 0,
    stdout: "",
    stderr: "More pages follow: add --page 2 for the next one, or --all.\n",
  })
  const second = await run(["search", asked, "--limit", "1", "--page", "2", "-o", "ndjson", "--columns", "id"], { env })
  expect(second.stdout).toBe('{"id":"tr_1"}\n')
})

test("shows a transfer once that a page lists twice", async () => {
  matches = ways["matches a prefix"]
  times = 2
  const idsOf = async (...args: ReadonlyArray<string>) => {
    const { stdout } = await run(["search", "--columns", "id", "-o", "csv", ...args], { env })
    return stdout.trim().split("\n").slice(1)
  }
  expect(await idsOf(asked)).toEqual(["tr_1"])
  const all = ["tr_0", "tr_1", "tr_2", "tr_3", "tr_4"]
  for (const args of [[], ["--page", "1"], ["--status", "complete"], ["--all"]]) {
    expect(await idsOf("--since", "2024-09", ...args), args.join(" ")).toEqual(all)
  }
  times = 1
})
