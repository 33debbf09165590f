/**
 * Bounds what the connections of HTTP clients hold: how many there are, the parts that a body comes in, and how long an
 * answer waits for a client that does not read it.
 */
import { createServer, IncomingMessage, type Server } from "node:http"
import type { Socket } from "node:net"

/** The most connections at a time. Node closes others. */
export const most = 200

/** How long an answer may wait without a byte of it being read, in milliseconds. */
export const patience = 30_000

/** The most parts of a body: one of a mebibyte has some hundred if it comes over a network. */
const mostParts = 4096

class Incoming extends IncomingMessage {
  #parts = 0
  override push(part: unknown, encoding?: BufferEncoding): boolean {
    if (part !== null && ++this.#parts > mostParts) {
      this.socket.destroy()
      return false
    }
    return super.push(part, encoding)
  }
}

/** A server whose connections are bounded. */
export const makeServer = (limits = { most, patience }): Server => {
  const server = createServer({ IncomingMessage: Incoming })
  server.maxConnections = limits.most
  const answering = new Map<Socket, number>()
  server.on("request", ({ socket }, response) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    response.on("close", () => {
      const left = (answering.get(socket) ?? 1) - 1
      if (left > 0) answering.set(socket, left)
      else answering.delete(socket)
    })
  })
  // A call may take its time, and a stream may be silent. Node counts what the client reads as activity.
  return server.setTimeout(limits.patience, (socket) => {
    if (socket.writableLength > 0 || !answering.has(socket)) socket.destroy()
  })
}
