/** The commands that read from a service, against services that attack them: one outcome, in bounded time and memory. */
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo, run } from "../Cli.ts"
import { type MeasuredRun, measured } from "../Measured.ts"
import * as Service from "./Service.ts"

/** Starting the command takes 0.1 s and 60 MB; the largest body that is read has 16 MB. */
/** Processor time; other programs use the machine, too. A run that only waits ends with its test. */
const most = { cpu: 20, memory: 400 }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-hostile-"))
})
afterAll(() => rm(folder, { recursive: true }))

const against = async (mode: Service.Mode, ...args: ReadonlyArray<string>): Promise<MeasuredRun> => {
  await using service = await Service.start(mode)
  return await measured(args, { env: demo(service.url) })
}

const isBounded = (found: MeasuredRun): void => {
  expect(found.cpu).toBeLessThan(most.cpu)
  expect(found.memory).toBeLessThan(most.memory)
  expect(found.stderr.length).toBeLessThan(20_000)
  expect(found.stderr).not.toMatch(/\n\s+at |RangeError|TypeError|demo-secret/)
}

describe.each(Object.entries(Service.rejected))("%s", (_, mode) => {
  test("ends search, export and capabilities with an error of the service", async () => {
    const commands = [
      ["search", "-o", "json"],
      ["export", "--out", join(folder, "never.csv"), "--since", "2024-09-01", "--until", "2024-09-01", "--force"],
      ["capabilities"],
    ]
    // At once, because each may wait for its retries.
    for (const found of await Promise.all(commands.map((args) => against(mode, ...args)))) {
      isBounded(found)
      expect([3, 4, 5], found.stderr).toContain(found.code)
      expect(found.stderr).not.toBe("")
    }
    await expect(readFile(join(folder, "never.csv"))).rejects.toMatchObject({
      message: expect.stringContaining("ENOENT"),
    })
  })

  test("ends certify with a broken law, or says that there is no whole response", async () => {
    const found = await against(mode, "certify", "--rate", "1000", "-o", "json")
    isBounded(found)
    expect([1, 4], found.stderr).toContain(found.code)
  })
})

describe.each(Object.entries(Service.accepted))("%s", (name, mode) => {
  test.each(["json", "ndjson", "csv", "table"])("is searched as %s", async (output) => {
    const found = await against(mode, "search", "-o", output)
    isBounded(found)
    expect(found.code, found.stderr).toBe(0)
    expect(found.stdout).not.toBe("")
  })

  test("is certified, with the laws that it breaks because it ignores the request, or is too large", async () => {
    const found = await against(mode, "certify", "--rate", "1000", "-o", "ndjson")
    isBounded(found)
    if (name === "an unknown field of 8 MB") {
      expect(found.code, found.stderr).toBe(4)
      return expect(found.stderr).toContain("the response is too large: it has more than 1 MiB")
    }
    expect(found.code, found.stderr).toBe(1)
    expect(found.stdout).toContain(
      '"id":"credentials-none","meaning":"A request without credentials is rejected with 401","verdict":"broken"',
    )
  })

  test.each(["json", "ndjson", "csv", "parquet"])("is exported as %s, and verified", async (format) => {
    const out = join(folder, `some.${format}`)
    const month = ["--since", "2024-09", "--until", "2024-09"]
    const exported = await against(mode, "export", "--out", out, ...month, "--force")
    isBounded(exported)
    expect(exported.code, exported.stderr).toBe(0)
    const verified = await measured(["verify", out])
    isBounded(verified)
    expect(verified.code, verified.stdout).toBe(0)
  })
})

test.each([
  ["search", 1_000_000, 0],
  ["doctor", Number.POSITIVE_INFINITY, 1],
] as const)(
  "%s of a body of %s chunks of a byte takes memory in proportion to its bytes",
  async (command, blanks, code) => {
    const found = await against(Service.bytewise(blanks), command)
    expect(found.memory).toBeLessThan(300)
    expect(found.code, found.stderr).toBe(code)
  },
)

test.each([
  ["sync", "--to", "large.db"],
  ["export", "--out", "large.csv"],
])("%s %s %s of transfers of 800 kB holds them by their size", async (command, flag, file) => {
  const found = await against(Service.inflated, command, flag, join(folder, file))
  expect(found.memory).toBeLessThan(800)
  expect(found.code, found.stderr).toBe(4)
  expect(found.stderr).toContain("more than can be held at once")
})

test("a proxy that answers CONNECT with headers that have no end is given up", async () => {
  const flood = (socket: Net.Socket): void => {
    if (socket.destroyed) return
    if (socket.write("X-Flood: x\r\n".repeat(1000))) setImmediate(flood, socket)
    else socket.once("drain", () => flood(socket))
  }
  const proxy = Net.createServer((socket) => socket.on("error", () => {}).once("data", () => flood(socket)))
  await once(proxy.listen(0, "127.0.0.1"), "listening")
  const { port } = proxy.address() as Net.AddressInfo
  const env = { ...demo("https://api.test"), NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: `http://127.0.0.1:${port}` }
  const runs = [measured(["search"], { env }), measured(["certify", "--rate", "1000"], { env })]
  for (const found of await Promise.all(runs)) {
    isBounded(found)
    expect(found.code, found.stderr).toBe(4)
    expect(found.stderr).toContain("The proxy has answered with headers of more than 16 KiB")
  }
  proxy.close()
})

test.each(["HTTPS_PROXY", "https_proxy"])(
  "a line break in %s is an error of usage that does not repeat the password",
  async (name) => {
    for (const proxy of ["http://me:proxy-secret@127.0.0.1:1\n", "http://me:proxy\r\n-secret@127.0.0.1:1"]) {
      const env = { ...demo("https://api.test"), NODE_USE_ENV_PROXY: "1", [name]: proxy }
      for (const args of [["search"], ["certify"]]) {
        const { code, stdout, stderr } = await run(args, { env })
        expect({ code, stdout, stderr }).toEqual({
          code: 2,
          stdout: "",
          stderr: `error: ${name} has a line break. Write one address without it, such as http://proxy.example:3128.\n`,
        })
      }
    }
  },
)
