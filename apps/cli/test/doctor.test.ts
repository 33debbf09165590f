/** `transfers doctor`: one verdict per problem, with what to do. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

let folder: string
let fake: RunningFakeServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-doctor-"))
  fake = await startFakeServer({ transfers: 200, seed: 5 })
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const json = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  JSON.parse((await run(args, { env })).stdout)

describe("doctor", () => {
  const verdicts = async (env: Readonly<Record<string, string>>) => {
    const { code, stdout } = await run(["doctor"], { env })
    const { checks } = JSON.parse(stdout)
    const last = checks.at(-1)
    return { code, checks: checks.length, check: last.check, verdict: last.verdict, advice: last.advice }
  }

  test("finds no problem with a working service", async () => {
    expect(await verdicts(demo(fake.url))).toMatchObject({ code: 0, check: "stuck", verdict: "ok" })
  })

  test.each([
    ["the port", "http://127.0.0.1:1", "connection", "check the port"],
    ["the scheme", "https", "TLS", "does not speak TLS"],
    ["a secret in the clear", "http://transfers.example", "configuration", "whoami"],
    ["the name", "https://no-such-host.invalid", "name", "spelling"],
    ["the path", "/api", "base path", "path of the base URL"],
  ])("names the problem with %s, and what to do", async (_, url, check, advice) => {
    const base = url === "https" ? fake.url.replace("http:", "https:") : url.startsWith("/") ? `${fake.url}${url}` : url
    const found = await verdicts({ ...demo(fake.url), TRANSFERS_BASE_URL: base })
    expect(found).toMatchObject({ code: 1, check, verdict: "failed" })
    expect(found.advice).toContain(advice)
  })

  test("examines the mirror of --from, without settings of a service", async () => {
    const file = join(folder, "transfers.db")
    await run(["sync", "--to", file], { env: demo(fake.url) })
    const found = await run(["doctor", "--from", file])
    expect(found.code).toBe(0)
    expect(JSON.parse(found.stdout)).toMatchObject({
      ok: true,
      checks: [
        { check: "mirror", found: `sqlite:${file}` },
        { check: "role", verdict: "ok", found: "only its owner may read the file (mode 0600)" },
        { check: "clock", verdict: "ok" },
        { check: "freshness", verdict: "ok", found: expect.stringMatching(/^demo: complete until /) },
      ],
    })
    await chmod(file, 0o644)
    const open = JSON.parse((await run(["doctor", "--from", file])).stdout)
    // SQLite gives its empty log the mode of the file.
    const advice = `If they should not: chmod 600 ${file} ${file}-wal`
    expect(open.checks[1]).toMatchObject({ verdict: "warning", advice })
    expect(await run(["doctor", "--from", join(folder, "none.db")])).toMatchObject({ code: 1 })
  })

  test("names wrong credentials", async () => {
    const found = await verdicts({ ...demo(fake.url), TRANSFERS_SECRET_KEY: "wrong" })
    expect(found).toMatchObject({
      code: 1,
      check: "credentials",
      advice: expect.stringContaining("partner id and the secret key"),
    })
  })

  test.each([
    [{ fault: "content_type", value: "text/html" }, "content type", "proxy"],
    [{ fault: "malformed" }, "capabilities", "base URL"],
    [{ fault: "redirect", location: "https://elsewhere.example/v1/capabilities" }, "base path", "it points to"],
    [{ fault: "status", status: 503 }, "service", "request id"],
    [{ fault: "rate_limited" }, "rate limit", "less often"],
    [{ fault: "reset", at: "headers" }, "request", "proxies"],
  ])("names the problem of a service with %j", async (fault, check, advice) => {
    const broken = await startFakeServer({ transfers: 3 })
    await Fake.addFaults(broken.url, fault)
    const found = await verdicts(demo(broken.url))
    await broken.close()
    expect(found).toMatchObject({ code: 1, check, verdict: "failed" })
    expect(found.advice).toContain(advice)
  })

  test.each([
    ["has expired", -2, true, /^CERT_HAS_EXPIRED, certificate valid from .* GMT to .* GMT$/, "valid today"],
    ["is not valid yet", 2, true, /^CERT_NOT_YET_VALID, certificate valid from /, "clock"],
    [
      "is signed by an unknown authority",
      0,
      false,
      /^SELF_SIGNED_CERT_IN_CHAIN, certificate valid from /,
      "NODE_EXTRA_CA_CERTS",
    ],
  ])(
    "gives the dates of a certificate that %s, and search does not retry",
    async (what, years, isTrusted, fact, advice) => {
      // A certificate is made for the time of the start.
      vi.useFakeTimers({ now: Date.now() + years * 366 * 86_400_000, toFake: ["Date"] })
      const service = await startFakeServer({ transfers: 0, tls: true }).finally(() => vi.useRealTimers())
      const authority = join(folder, `${what}.pem`)
      await writeFile(authority, service.ca ?? "")
      const env = { ...demo(service.url), ...(isTrusted ? { NODE_EXTRA_CA_CERTS: authority } : {}) }
      const { checks } = await json(["doctor"], env)
      const searched = await run(["search", "--log-level", "info"], { env })
      await service.close()
      expect(searched).toMatchObject({ code: 4, stderr: expect.stringMatching(/^error: Cannot reach the service: /) })
      expect(checks.at(-1)).toMatchObject({ check: "TLS", verdict: "failed", found: expect.stringMatching(fact) })
      expect(checks.at(-1).advice).toContain(advice)
    },
  )

  test("warns of a wrong clock", async () => {
    const skewed = await startFakeServer({ transfers: 3 })
    await Fake.addFaults(skewed.url, { fault: "clock_skew", seconds: -4000 })
    const { checks } = await json(["doctor"], demo(skewed.url))
    await skewed.close()
    expect(checks.find(({ check }: { readonly check: string }) => check === "clock")).toMatchObject({
      verdict: "warning",
      found: expect.stringMatching(/^1h [67]m ahead of the service's$/),
    })
  })
})
