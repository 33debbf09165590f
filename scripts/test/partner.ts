/** A partner who calls the fake with nothing but fetch or a socket, and its own reading of the contract. */
import * as net from "node:net"

/** The value of an Authorization header. */
export const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString("base64")}`

/** What came back, its body as text and, where it is JSON, as what `JSON.parse` makes of it. */
export interface Reply {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: string
  readonly json: ReturnType<typeof JSON.parse>
}

/** Sends a request, as the default partner unless another is given. */
export const call = async (
  url: string,
  options: {
    readonly credentials?: string
    readonly method?: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Reply> => {
  const { credentials = "demo:demo-secret", method = "GET", body } = options
  const contentType = body === undefined ? {} : { "content-type": "application/json" }
  const headers = { authorization: basic(credentials), ...contentType, ...options.headers }
  const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }
  const response = await fetch(url, { method, headers, redirect: "manual", ...init })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== ""
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** The ids on all pages, in order, and how many pages there were. Trusts nothing but `page_info`. */
export const pageThrough = async (url: string, query = "", credentials?: string) => {
  const ids: Array<string> = []
  const cursors: Array<string | undefined> = [undefined]
  for (;;) {
    const cursor = cursors.at(-1)
    const target = `${url}/v1/transfers/search?${query}${cursor === undefined ? "" : `&after_cursor=${cursor}`}`
    const { json, status, text } = await call(target, credentials === undefined ? {} : { credentials })
    if (status !== 200) throw new Error(`page ${cursors.length}: ${status} ${text}`)
    ids.push(...json.results.map((transfer: { readonly id: string }) => transfer.id))
    if (!json.page_info.has_next_page) return { ids, cursors }
    if (cursors.length > 500) throw new Error("paging does not end")
    cursors.push(json.page_info.end_cursor)
  }
}

/** Writes bytes to a socket and gives all that comes back until it closes, and the error it closed with. */
export const raw = (url: string, ...pieces: ReadonlyArray<string | Buffer>) =>
  new Promise<{ readonly text: string; readonly error: string | undefined }>((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = net.connect(Number(port), hostname)
    const chunks: Array<Buffer> = []
    let error: string | undefined
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", (cause) => (error = "code" in cause ? String(cause.code) : cause.message))
    socket.on("close", () => resolve({ text: Buffer.concat(chunks).toString("latin1"), error }))
    for (const piece of pieces) socket.write(piece)
  })

/** A request as text, which closes the connection. */
export const request = (target: string, headers: ReadonlyArray<string> = [], method = "GET"): string =>
  [
    `${method} ${target} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    `authorization: ${basic("demo:demo-secret")}`,
    ...headers,
    "\r\n",
  ].join("\r\n")
