/** Stands before a service and holds its answers back, so that one process is at work for as long as a test needs it to be. */
import { once } from "node:events"
import { createServer, request as forward } from "node:http"

export interface Gate {
  readonly url: string
  /** Lets so many requests through, and holds the rest. */
  readonly shut: (after: number) => void
  readonly open: () => void
  readonly close: () => Promise<void>
}

/** An open gate before a service. */
export const before = async (service: string): Promise<Gate> => {
  let free = Infinity
  const held = new Set<() => void>()
  const open = (): void => {
    free = Infinity
    for (const pass of held) pass()
    held.clear()
  }
  const server = createServer((request, response) => {
    const { method, headers, url = "/" } = request
    const pass = (): void => {
      const onward = forward(new URL(url, service), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      onward.on("error", () => response.destroy())
      request.pipe(onward)
    }
    response.on("close", () => held.delete(pass))
    if (free-- > 0) pass()
    else held.add(pass)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    shut: (after) => void (free = after),
    open,
    close: async () => {
      server.close().closeAllConnections()
      await once(server, "close")
    },
  }
}
