/** The programs in examples/ do what README.md says, against the fake. Their types are checked by `pnpm types`. */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as IndependentCheck from "../IndependentCheck.ts"
import * as Programs from "../Programs.ts"
import * as Repository from "../Repository.ts"

const folder = join(Repository.root, "examples")
let fake: Programs.RunningFake
let served: ReadonlyArray<IndependentCheck.Row>

beforeAll(async () => {
  fake = await Programs.startFake(Programs.sample)
  served = await IndependentCheck.everyTransfer(fake.url, "demo:demo-secret")
})

afterAll(() => fake[Symbol.asyncDispose]())

const run = (program: string, ...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, program), ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      TRANSFERS_BASE_URL: fake.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    },
  })
  expect({ program, status, stderr: status === 0 ? "" : stderr }).toEqual({ program, status: 0, stderr: "" })
  return { lines: stdout.trimEnd().split("\n"), stderr: stderr.trimEnd() }
}

const september = (): ReadonlyArray<IndependentCheck.Row> =>
  served.filter(({ created_at }) => created_at?.startsWith("2024-09"))

it("search.ts prints every transfer with an external_id", () => {
  const external_id = "order-656410c8"
  const ids = served.filter((row) => row.external_id === external_id).map(({ id }) => id)
  const { lines } = run("search.ts", external_id)
  expect(ids).toHaveLength(2)
  expect(lines.slice(0, -1).map((line) => line.split(" ")[0])).toEqual(expect.arrayContaining(ids))
  expect(lines.at(-1)).toBe("2 transfers")
})

it("export.ts writes every transfer of a month once, as it came", () => {
  const { lines, stderr } = run("export.ts", "2024-09")
  expect(september().length).toBeGreaterThan(300)
  expect(
    IndependentCheck.differences(
      september(),
      lines.map((line) => JSON.parse(line)),
    ),
  ).toEqual([])
  expect(stderr).toBe(`${september().length} transfers, Complete`)
})

it("promise.ts prints exact totals of completed transfers by currency", () => {
  const completed = september().filter(({ status }) => status === "complete")
  const totals = IndependentCheck.totalsByBigInt(completed, "source_total")
  const printed = run("promise.ts", "2024-09").lines.map((line) => line.split(" "))
  expect(
    Object.fromEntries(
      printed.map(([amount = "", code = ""]) => [code, IndependentCheck.withoutTrailingZeros(amount)]),
    ),
  ).toEqual(totals)
})

it("effect-http-client.ts prints the supported currencies", () => {
  expect(run("effect-http-client.ts").lines).toEqual(expect.arrayContaining(["fiat/USD US Dollar"]))
})

it("the example for node:test passes", () => {
  const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", "*.test.ts"], {
    cwd: join(folder, "tests/node-test"),
    encoding: "utf8",
    // Without the variables that tell it that it is part of another test run.
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
  })
  expect([status, /^# pass (\d+)/m.exec(stdout)?.[1]], stdout).toEqual([0, "2"])
})

it("every example is run", () => {
  const programs = readdirSync(folder).filter((file) => file.endsWith(".ts"))
  expect(programs).toEqual(["effect-http-client.ts", "export.ts", "promise.ts", "search.ts"])
})
