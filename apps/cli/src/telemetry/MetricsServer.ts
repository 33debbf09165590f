/** Metrics for Prometheus to scrape. */
import type { ServerResponse } from "node:http"
import { reasonOf } from "@transferkit/files/FileError"
import * as BoundedServer from "@transferkit/http-api/BoundedServer"
import * as HostName from "@transferkit/http-api/HostName"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Result from "effect/Result"
import { Screen } from "../terminal/Screen.ts"
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

/**
 * Serves them at `/metrics` until the scope closes. `/healthz` responds as long as the process does, and `/readyz` with
 * 200 or 503, depending on `ready`.
 */
export const serve = Effect.fnUntraced(function* <E extends { readonly message: string }>(
  { host, port }: Address,
  ready: Effect.Effect<unknown, E> = Effect.void,
) {
  const context = yield* Effect.context<never>()
  const reasonNot = Effect.match(
    Effect.timeoutOrElse(ready, { duration: "2 seconds", orElse: () => Effect.fail(noResponse) }),
    {
      onSuccess: () => undefined,
      onFailure: ({ message }) => message,
    },
  )
  const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
    "/metrics": (response) => {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
      response.end(Effect.runSyncWith(context)(text))
    },
    "/healthz": (response) => void response.end("ok\n"),
    "/readyz": (response) => {
      void Effect.runPromiseWith(context)(reasonNot).then((reason) =>
        response.writeHead(reason === undefined ? 200 : 503).end(`${reason ?? "ok"}\n`),
      )
    },
  }
  const isOwn = HostName.isLoopback(host) ? HostName.isLoopback : HostName.isUnregistrable
  const server = BoundedServer.make().on("request", ({ method, url = "", headers }, response) => {
    // A web page whose name was rebound to this address.
    if (headers.host !== undefined && !isOwn(HostName.ofHeader(headers.host))) {
      return void response.writeHead(421).end("This server has no such name. Ask for it by its address.\n")
    }
    const page = Object.hasOwn(pages, url) ? pages[url] : undefined
    if (page === undefined) return void response.writeHead(404).end(`There are ${Object.keys(pages).join(", ")}.\n`)
    if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { allow: "GET, HEAD" }).end()
    page(response)
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
  const url = `http://${name}:${typeof bound === "object" && bound !== null ? bound.port : port}/metrics`
  yield* (yield* Screen).note(`Metrics on ${url}\n`)
})

const noResponse = { message: "It did not respond for 2 seconds." }
