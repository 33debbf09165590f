import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parser } from "@prometheus-io/lezer-promql"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"

let fake: RunningFakeServer
let folder: string
/** What a sync serves after passes that succeed, fail, find changes, and cannot deliver them: labels by name. */
let served: ReadonlyMap<string, ReadonlyArray<Readonly<Record<string, string>>>>

const page = (name: string) => readFile(fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)), "utf8")

const labelsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]))

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 100, rateLimit: { requests: 5, perMs: 100 } })
  folder = await mkdtemp(join(tmpdir(), "transfers-monitoring-"))
  const args = [
    "sync",
    "--to",
    join(folder, "t.db"),
    "--follow",
    "--interval",
    "1",
    "--metrics",
    "0",
    "--exec",
    "exit 1",
  ]
  const child = start(args, { env: demo(fake.url) })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  child.stdout.resume()
  const url = await Waiting.until(() => /Metrics on (\S+)/.exec(stderr)?.[1])
  const scrape = async () => (await fetch(url)).text()
  const until = (text: string) => Waiting.until(async () => (await scrape()).includes(text))
  await until('outcome="complete"')
  await Fake.insert(fake.url, { id: "tr_1", status: "executing", created_at: new Date().toISOString() })
  await until("transfers_sync_undelivered_total")
  await Fake.addFaults(fake.url, { fault: "status", status: 503 })
  await until('outcome="ServiceUnavailable"')
  const lines = (await scrape()).split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  const found = new Map<string, Array<Readonly<Record<string, string>>>>()
  for (const line of lines) {
    const [, name = "", labels = ""] = /^(\w+)(\{.*\})? /.exec(line) ?? []
    found.set(name, [...(found.get(name) ?? []), labelsOf(labels)])
  }
  served = found
  child.kill("SIGINT")
  await new Promise((resolve) => child.on("close", resolve))
})

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

/** The metrics that an expression reads, each with the labels it names. Throws if it is not PromQL. */
const metricsOf = (expression: string): ReadonlyArray<readonly [name: string, labels: ReadonlyArray<string>]> => {
  const text = expression.replaceAll("$__rate_interval", "5m").replaceAll("$partner", ".*")
  const found: Array<readonly [string, ReadonlyArray<string>]> = []
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`)
      if (type.name !== "VectorSelector") return
      const selector = text.slice(from, to)
      const names = node.getChild("LabelMatchers") === null ? [] : [...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)\s*"/g)]
      found.push([/^\w+/.exec(selector)?.[0] ?? "", names.map(([, name = ""]) => name)])
    },
  })
  return found
}

const expectServed = (expression: string): void => {
  const metrics = metricsOf(expression)
  expect(metrics.length, expression).toBeGreaterThan(0)
  for (const [name, labels] of metrics) {
    expect([...served.keys()], expression).toContain(name)
    for (const label of labels) expect(Object.keys(served.get(name)?.[0] ?? {}), expression).toContain(label)
  }
  for (const [, label = "", values = ""] of expression.matchAll(/(outcome|kind)="(\w+)"/g)) {
    const known = [...served.values()].flat().map((labels) => labels[label])
    if (values !== "RateLimited") expect(known, expression).toContain(values)
  }
  for (const [, list = ""] of expression.matchAll(/by \(([\w, ]+)\)/g)) {
    const [[name = ""] = []] = metrics
    for (const label of list.split(", ")) expect(Object.keys(served.get(name)?.[0] ?? {}), expression).toContain(label)
  }
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: Readonly<Record<string, string>>
}

test("every alert reads metrics and labels that a sync serves", async () => {
  const { groups }: { readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }> } = parse(
    await page("prometheus/alerts.yml"),
  )
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(6)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { expr, annotations } of rules) {
    expectServed(expr)
    expect(Object.keys(annotations)).toEqual(["summary", "description"])
    for (const [, label = ""] of annotations["summary"]?.matchAll(/\$labels\.(\w+)/g) ?? []) {
      expect(["partner", "outcome"]).toContain(label)
    }
  }
})

interface Panel {
  readonly id: number
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
}

test("every panel of the dashboard reads metrics and labels that a sync serves", async () => {
  const { panels, templating }: { readonly panels: ReadonlyArray<Panel>; readonly templating: unknown } = JSON.parse(
    await page("grafana/transfers.json"),
  )
  expect(panels.length).toBeGreaterThan(10)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { targets } of panels) {
    for (const { expr, legendFormat } of targets) {
      expectServed(expr)
      const [[name = ""] = []] = metricsOf(expr)
      const labels = Object.keys(served.get(name)?.[0] ?? {})
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels).toContain(label)
    }
  }
  expect(JSON.stringify(templating)).toContain("label_values(transfers_mirror_open, partner)")
})

describe("the page of deploy/", () => {
  test("lists every metric that a sync serves, and no other", async () => {
    const [, table = ""] = (await page("README.md")).split("| metric | is |")
    const cells = (table.split("\n\n")[0] ?? "").split("\n").map((line) => line.split("|")[1] ?? "")
    const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name))
    const names = [...served.keys()].map((name) => name.replace(/^(http_\w+?)_(bucket|sum|count)$/, "$1"))
    for (const name of new Set(names)) expect(listed).toContain(name)
    expect(listed.filter((name) => !names.includes(name) && name !== "transfers_duplicates_total")).toEqual([])
  })
})
