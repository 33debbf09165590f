/** Metrics for Prometheus to scrape. */
import { createServer } from "node:http"
import { reasonOf } from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"

/** Where to listen. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** Reads `PORT` or `HOST:PORT`. Without a host, only this machine can ask. */
export const parseAddress = (text: string): Result.Result<Address, UsageError> => {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits !== "" && port <= 65_535) return Result.succeed({ host: host.replace(/^\[(.*)\]$/, "$1"), port })
  const message = `--metrics: expected PORT or HOST:PORT, such as 9464, found ${JSON.stringify(text)}.`
  return Result.fail(new UsageError({ message }))
}

/** Everything measured so far. Counters end in `_total`, as they do when a collector passes them on. */
export const text = Effect.map(Effect.context<never>(), (context) => {
  const counters = new Set(Metric.snapshotUnsafe(context).flatMap(({ id, type }) => (type === "Counter" ? [id] : [])))
  return PrometheusMetrics.formatUnsafe(context, {
    metricNameMapper: (name) => (counters.has(name) ? `${name}_total` : name),
  })
})

/** Serves them at `/metrics` until the scope closes, and returns the address. */
export const serve = Effect.fnUntraced(function* ({ host, port }: Address) {
  const context = yield* Effect.context<never>()
  const render = Effect.runSyncWith(context)
  const server = createServer(({ method, url }, response) => {
    if (url !== "/metrics") return void response.writeHead(404).end("There is only /metrics.\n")
    if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { allow: "GET, HEAD" }).end()
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(render(text))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, UsageError>((resume) => {
      server.once("error", (error) => {
        const message = `--metrics: cannot listen on ${host}, port ${port}: ${reasonOf(error)}.`
        resume(Effect.fail(new UsageError({ message })))
      })
      server.listen(port, host, () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
  const bound = server.address()
  const name = host.includes(":") ? `[${host}]` : host
  return `http://${name}:${typeof bound === "object" && bound !== null ? bound.port : port}/metrics`
})
