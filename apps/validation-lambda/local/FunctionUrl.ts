/** A Function URL on this machine: turns an HTTP request into AWS's event, and the function's result into a response. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { UsageError } from "./LocalOptions.ts"
import type { Sandbox } from "./Sandbox.ts"

/** A URL that is served. */
export interface FunctionUrl {
  readonly url: string
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Serves a sandbox. Port 0 takes any free port. Rejects with a {@link UsageError} if the port is taken. */
export const openFunctionUrl = async (sandbox: Sandbox, port: number): Promise<FunctionUrl> => {
  const server = createServer((request, response) => {
    respond(sandbox, request, response).catch((error: unknown) => {
      response.writeHead(502, { "content-type": "application/json" }).end(JSON.stringify({ message: String(error) }))
    })
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening").catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error
    throw new UsageError(`Port ${port} is taken. Choose another with --port, or 0 for any free port.`)
  })
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the Function URL listens on no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

/** What AWS takes of a body. */
const mostBytes = 6 * 1024 * 1024

const respond = async (sandbox: Sandbox, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const given = await bodyOf(request)
  if (given === undefined) {
    const message = `Request must be smaller than ${mostBytes} bytes`
    response.writeHead(413, { "content-type": "application/json", connection: "close" })
    response.end(JSON.stringify({ message }))
    return
  }
  const { payload, isError } = await sandbox.invoke(eventOf(request, given))
  if (isError || typeof payload !== "object" || payload === null || !("statusCode" in payload)) {
    // On AWS the reason is in the log only.
    response.writeHead(502, { "content-type": "application/json" }).end(JSON.stringify(payload))
    return
  }
  const { statusCode, headers, body, isBase64Encoded }: Record<string, unknown> = { ...payload }
  response.writeHead(Number(statusCode), Object(headers))
  response.end(Buffer.from(String(body ?? ""), isBase64Encoded === true ? "base64" : "utf8"))
}

/** AWS sends text as it is, and everything else in Base64, compressed text included. */
const isText = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[\w.+-]+\+(json|xml)))/

/** The body, unless it is too large. No more of it is held then; what still comes is dropped. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const parts: Array<Buffer> = []
  let bytes = 0
  // The connection is needed for the response.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    parts.push(part)
    bytes += part.byteLength
    if (bytes <= mostBytes) continue
    request.resume()
    return undefined
  }
  return Buffer.concat(parts)
}

const eventOf = (request: IncomingMessage, body: Buffer): unknown => {
  const { "content-encoding": encoding, "content-type": type = "" } = request.headers
  const asText = encoding === undefined && isText.test(type)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  )
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2)
  const now = new Date()
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: "anonymous",
      apiId: "local",
      domainName: headers["host"],
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress,
        userAgent: headers["user-agent"],
      },
      routeKey: "$default",
      stage: "$default",
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length === 0 ? {} : { body: body.toString(asText ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !asText,
  }
}
