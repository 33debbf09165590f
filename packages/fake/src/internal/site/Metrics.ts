/** What the fake has done, for Prometheus to scrape at `/metrics`. */
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import { methodNotAllowed, type Response } from "../Exchange.ts"
import type { FakeState } from "../state/FakeState.ts"

export const path = "/metrics"

/** A value with its labels. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

const family = (name: string, type: "counter" | "gauge", help: string, samples: ReadonlyArray<Sample>): string => {
  const escaped = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
  const lines = samples.map(([labels, value]) => {
    const list = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    return `${name}${list.length === 0 ? "" : `{${list.join(",")}}`} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`
}

/** The response to a request for them. */
export const respond = (state: FakeState, method: string): Response => {
  if (method !== "GET" && method !== "HEAD") return methodNotAllowed(method, "GET, HEAD")
  const { requests, faults } = state.journal.counts
  const text = [
    family(
      "transfers_fake_requests_total",
      "counter",
      "Requests, by path and status",
      [...requests].map(([key, count]) => {
        const [asked = "", status = ""] = key.split(" ")
        return [{ path: asked, status }, count]
      }),
    ),
    family(
      "transfers_fake_faults_total",
      "counter",
      "Faults that changed a response",
      [...faults].map(([fault, count]) => [{ fault }, count]),
    ),
    family(
      "transfers_fake_transfers",
      "gauge",
      "Transfers, by partner",
      [...state.sources.values()].map(({ partner, store }) => [{ partner }, TransferStore.size(store)]),
    ),
  ]
  const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" }
  return { status: 200, headers, body: [Buffer.from(text.join(""), "utf8")] }
}
