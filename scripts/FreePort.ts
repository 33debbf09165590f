/** Ports for servers that cannot choose one themselves. */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/**
 * A port of 127.0.0.1 that nothing listens on. It is below those that Linux and macOS give to outgoing connections:
 * one of these could take it before the server listens, or while it restarts.
 */
export const find = async (draw = () => randomInt(10_000, 30_000)): Promise<number> => {
  for (;;) {
    const port = draw()
    const server = createServer().listen(port, "127.0.0.1")
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, "close")
    return port
  }
}
