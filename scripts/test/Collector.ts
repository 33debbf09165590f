/** An OpenTelemetry collector: takes what OTLP over HTTP sends as JSON, on a real socket. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What it has been sent, by signal. */
export interface Collector {
  readonly url: string
  readonly bodies: Readonly<Record<"logs" | "metrics" | "traces", Array<string>>>
  readonly headers: Array<Readonly<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

const sendWithoutEnd = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(1 << 20, " ")
  const send = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on("drain", send)
  send()
}

/** How a collector answers, if not with 200. */
export interface Options {
  /** It accepts connections and never answers. */
  readonly isSilent?: boolean
  /** It answers without end, as fast as it is read. */
  readonly isEndless?: boolean
  /** It sends its clients to another URL. */
  readonly redirectTo?: string
}

export const start = async ({ isSilent = false, isEndless = false, redirectTo }: Options = {}): Promise<Collector> => {
  const bodies = { logs: [], metrics: [], traces: [] } as Record<"logs" | "metrics" | "traces", Array<string>>
  const headers: Array<Readonly<Record<string, unknown>>> = []
  const server = createServer((request, response) => {
    if (isSilent) return
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      const signal = (["logs", "metrics", "traces"] as const).find((name) => request.url === `/v1/${name}`)
      headers.push(request.headers)
      if (signal === undefined) return void response.writeHead(404).end()
      bodies[signal].push(text)
      if (isEndless) return sendWithoutEnd(response)
      if (redirectTo !== undefined) return void response.writeHead(307, { location: redirectTo + request.url }).end()
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, bodies, headers, close }
}
