import { spawn } from "node:child_process"
import * as path from "node:path"
import { expect, test } from "vitest"
import * as Collector from "../../../scripts/test/Collector.ts"
import { call } from "../../../scripts/test/partner.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"

const bin = path.join(import.meta.dirname, "../src/bin.ts")

const start = async (env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [bin, "--port", "0", "--json", "--transfers", "7"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  await Waiting.until(() => output.stdout.includes("\n"))
  const stop = () => {
    child.kill()
    return new Promise<number | null>((resolve) => child.on("close", resolve))
  }
  return { url: String(JSON.parse(output.stdout).url), output, stop }
}

test("sends a span, a measurement and a log for each request to the collector that the environment names", async () => {
  const collector = await Collector.start()
  const { url, output, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await call(`${url}/v1/transfers/search`)
  await call(`${url}/v1/made/up/by/a/caller`)
  expect(await stop()).toBe(0)
  const [traces, metrics, logs] = (["traces", "metrics", "logs"] as const).map((name) =>
    collector.bodies[name].join("\n"),
  )
  for (const text of ["GET /v1/transfers/search", "GET other", "req-1", "transfers-fake"])
    expect(traces).toContain(text)
  expect(metrics).toContain("http.server.request.duration")
  expect(logs).toContain("GET /v1/transfers/search 200")
  for (const sent of [traces, metrics, logs]) {
    expect(sent).not.toContain("made/up")
    expect(sent).not.toContain("demo-secret")
  }
  expect(output.stdout.trim().split("\n")).toHaveLength(1)
  await collector.close()
})

test("serves in spite of a collector that is dead, or a variable that cannot be used", async () => {
  const collector = await Collector.start({ isSilent: true })
  const login = collector.url.replace("://", "://some:l0gin@")
  for (const endpoint of [collector.url, "nonsense", login]) {
    const { url, output, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    expect((await call(`${url}/v1/capabilities`)).status).toBe(200)
    expect(await stop()).toBe(0)
    expect(output.stderr.includes("No telemetry is sent")).toBe(endpoint !== collector.url)
    expect(output.stderr.includes("it holds credentials")).toBe(endpoint === login)
    expect(output.stderr).not.toContain("l0gin")
  }
  await collector.close()
})
