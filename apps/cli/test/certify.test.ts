/** `transfers certify` against running services, with its files. */
import { generateKeyPairSync } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import * as Signature from "@transferkit/conformance/certificate/Signature"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Result from "effect/Result"
import { afterEach, beforeEach, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { see } from "./Terminal.ts"

let folder: string
let fake: RunningFakeServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-certify-"))
  fake = await startFakeServer({ transfers: 300 })
})
afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const file = (name: string): string => join(folder, name)
const certify = (...args: ReadonlyArray<string>) =>
  run(["certify", ...(args.includes("--rate") ? [] : ["--rate", "1000"]), ...args], {
    env: { ...demo(fake.url), XDG_CONFIG_HOME: folder },
  })
const read = async (name: string) => Result.getOrThrow(Certificate.fromJson(await readFile(file(name), "utf8")))

test("writes the certificate, its page and its badge, and prints the laws", async () => {
  const { code, stdout } = await certify("--out", file("c.json"), "--html", file("c.html"), "--badge", file("c.svg"))
  expect(code).toBe(0)
  const certificate = await read("c.json")
  expect(JSON.parse(stdout)).toEqual(certificate)
  expect(certificate).toMatchObject({ origin: fake.url, behaviour: { order: "newest-first", lte_token: "lte" } })
  const [page, badge] = [await readFile(file("c.html"), "utf8"), await readFile(file("c.svg"), "utf8")]
  expect(page).toContain(`Certificate of ${fake.url}`)
  for (const { meaning } of certificate.laws) expect(page).toContain(meaning.replaceAll("'", "&#39;"))
  // What could not be tried comes first, and says why; the long lists are folded.
  const places = ["Laws that were not decidable", ">retry-after<", 'data-label="Why"', "<details>", ">search-status<"]
  const found = places.map((place) => page.indexOf(place))
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(found).not.toContain(-1)
  expect(
    [...page.matchAll(/<summary><h2>(.+?)<\/h2><span class="muted">(.+?)<\/span>/g)].map(([, ...all]) => all),
  ).toEqual([
    ["Laws that were kept", "45 laws"],
    ["Behaviour where the contract is silent", "24 points"],
  ])
  expect(badge).toContain(`laws kept, ${certificate.made_at.slice(0, 10)}</text>`)
  for (const text of [stdout, page, badge]) expect(text).not.toMatch(/demo-secret|ZGVtbzpkZW1vLXNlY3JldA/)
})

test("shows on a terminal each meaning in full, what is not decidable and why, and how many laws are kept", async () => {
  const { text } = await see(["certify", "--rate", "1000"], { columns: 80, env: demo(fake.url) })
  expect(text).toMatch(
    /^cursor-elsewhere +kept +A cursor with another filter is rejected, or\n +keeps to that filter$/m,
  )
  expect(text).toMatch(/\nNot decidable\nLAW +FOUND\nretry-after +there was no response with 429 or 503\n/)
  expect(text).toMatch(/\n\d+ laws kept, 0 broken, 2 not decidable, by \d+ requests\.\n$/)
  expect(text).not.toContain("…")
})

test.each(["--out", "--html", "--badge"])("checks where %s goes before the first request", async (flag) => {
  const { code, stderr } = await certify(flag, file("missing/c"))
  expect(code).toBe(2)
  expect(stderr).toContain("missing does not exist. Create it, or choose another")
  expect(fake.requests()).toEqual([])
  expect((await certify(flag, file("c"))).code).toBe(0)
})

test("ends with 1 on a broken law, with the request and the response that show it", async () => {
  fake.addFaults({ when: { path: "/v1/transfers/search" }, faults: [{ fault: "content_type", value: "text/<b>" }] })
  const { code, stdout } = await certify("--html", file("c.html"))
  expect(code).toBe(1)
  const { laws } = JSON.parse(stdout)
  expect(laws.find(({ id }: { readonly id: string }) => id === "content-type")).toMatchObject({
    verdict: "broken",
    evidence: {
      request: `curl --user '<partner id>:<secret key>' --header 'accept: application/json' '${fake.url}/v1/transfers/search?limit=20'`,
      response: { status: 200, headers: { "content-type": "text/<b>" } },
    },
  })
  const page = await readFile(file("c.html"), "utf8")
  expect(page).toContain("content-type: text/&lt;b&gt;")
  expect(page).not.toContain("<b>text")
})

test("shows only what has changed, and ends with 1 on drift", async () => {
  await certify("--out", file("last.json"))
  expect(await certify("--against", file("last.json"))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"drift": false'),
  })
  fake.addFaults({ when: { path: "/v1/transfers/search" }, faults: [{ fault: "content_type", value: "text/plain" }] })
  const { code, stdout } = await certify("--against", file("last.json"))
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    drift: true,
    changes: expect.arrayContaining([
      { place: "content-type", before: "kept: application/json", after: "broken: text/plain", drifted: true },
      { place: "/behaviour/headers/content-type", before: '"application/json"', after: '"text/plain"', drifted: true },
    ]),
  })
})

test("signs, and rejects what was changed after it was signed", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  await writeFile(file("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  expect(await certify("--sign", file("key.pem"), "--out", file("last.json"))).toMatchObject({ code: 0 })
  const certificate = await read("last.json")
  expect(Signature.isValid(certificate, publicKey.export({ type: "spki", format: "pem" }).toString())).toBe(true)
  expect(await certify("--against", file("last.json"))).toMatchObject({ code: 0 })
  await writeFile(file("last.json"), JSON.stringify({ ...certificate, made_at: "2020-01-01T00:00:00Z" }))
  const { code, stderr } = await certify("--against", file("last.json"))
  expect(code).toBe(2)
  expect(stderr).toContain("it was changed after it was signed")
})

test.each([
  [["--against", "none.json"], 2, "none.json"],
  [["--against", import.meta.filename], 2, "it is not a certificate"],
  [["--sign", import.meta.filename], 2, "others can read it"],
  [["--save"], 2, "--save needs a profile"],
  [["--sandbox"], 2, "Only a deployment can be certified"],
  [["--from", "a.ndjson"], 2, "Only a deployment can be certified"],
  [["--rate", "0"], 2, "a whole number from 1 to 1000"],
  [["--requests", "9"], 2, "a whole number from 10 to 10000"],
] as const)("rejects %j, and sends no request", async (args, code, message) => {
  const outcome = await certify(...args)
  expect(outcome).toMatchObject({ code, stdout: "" })
  expect(outcome.stderr).toContain(message)
  expect(fake.requests()).toEqual([])
})

test("signs with no file that is no key", async () => {
  await writeFile(file("none.pem"), "no key", { mode: 0o600 })
  expect(await certify("--sign", file("none.pem"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("openssl genpkey -algorithm ed25519"),
  })
})

test("keeps to the budget", async () => {
  expect(await certify("--requests", "12")).toMatchObject({ code: 0 })
  expect(fake.requests().length).toBe(12)
})

test("certifies nothing that is not there, or rejects the partner", async () => {
  const wrong = { env: { ...demo(fake.url), TRANSFERS_SECRET_KEY: "wrong", XDG_CONFIG_HOME: folder } }
  expect(await run(["certify", "--out", file("c.json")], wrong)).toMatchObject({ code: 3, stdout: "" })
  const nowhere = { env: { ...demo("http://127.0.0.1:1"), XDG_CONFIG_HOME: folder } }
  expect(await run(["certify", "--out", file("c.json")], nowhere)).toMatchObject({ code: 4, stdout: "" })
  await expect(readFile(file("c.json"))).rejects.toThrow("ENOENT")
})

test("reads the secret key from standard input, once", async () => {
  const { TRANSFERS_SECRET_KEY: _, ...env } = demo("http://127.0.0.1:1")
  const { code, stderr } = await run(["certify", "--secret-key-stdin"], { env, stdin: "key\n" })
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("Cannot reach the service") })
})

test("sends the credentials nowhere else, also if it is redirected there", async () => {
  const seen: Array<string | undefined> = []
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.end()
  })
  await new Promise<void>((resolve) => void elsewhere.listen(0, "127.0.0.1", resolve))
  const address = elsewhere.address()
  const port = typeof address === "object" ? address?.port : 0
  fake.addFaults({ faults: [{ fault: "redirect", location: `http://127.0.0.1:${port}/v1/transfers/search` }] })
  const { code, stdout } = await certify()
  elsewhere.close()
  expect(code).toBe(1)
  expect(stdout).toContain("status 302, to another place")
  expect(seen).toEqual([])
})

test("saves the operator to the profile, and searches use it", async () => {
  await run(["profiles", "save", "live", "--base-url", fake.url, "--partner-id", "demo", "--secret-key-stdin"], {
    env: { XDG_CONFIG_HOME: folder },
    stdin: "demo-secret",
  })
  const env = { XDG_CONFIG_HOME: folder }
  expect(await run(["certify", "--rate", "1000", "--profile", "live", "--save"], { env })).toMatchObject({ code: 0 })
  await run(["search", "--profile", "live", "--created-at", "lte:2024-09-01T00:00:00Z"], { env })
  expect(fake.requests().at(-1)?.parameters).toMatchObject({ created_at: "lte:2024-09-01T00:00:00Z" })
})
