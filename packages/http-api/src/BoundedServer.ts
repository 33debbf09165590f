/**
 * Bounds what the connections of HTTP clients hold: how many there are, what they have sent of requests that have no
 * answer yet, in how many parts, and how long an answer waits for a client that does not read it. For Node.
 */
import { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * How many clients may be connected, and how long they may be silent.
 *
 * @example
 * const limits = { most: 20, patience: 5000 }
 * BoundedServer.make(limits).maxConnections // => 20
 */
export interface Limits {
  /** The most connections at a time. Node closes others. */
  readonly most: number
  /** How long an answer may wait without a byte of it being read, in milliseconds. */
  readonly patience: number
}

const standard: Limits = { most: 200, patience: 30_000 }

/** The most parts of a body: one of a mebibyte has some hundred if it comes over a network. */
const mostParts = 4096

/** Bytes of the bodies of all requests without an answer. A connection that exceeds them is closed. */
const mostBytes = 32 << 20

/**
 * A server whose connections are bounded: to 200, which may be silent for 30 seconds, unless other limits are given.
 *
 * @example
 * const server = BoundedServer.make().on("request", (request, response) => response.end("here"))
 * server.maxConnections // => 200
 */
export const make = (limits = standard): Server => {
  let held = 0
  class Incoming extends IncomingMessage {
    bytes = 0
    #parts = 0
    #isAnswered = false

    override push(part: Uint8Array | null, encoding?: BufferEncoding): boolean {
      if (part === null || this.#isAnswered) return super.push(part, encoding)
      this.bytes += part.length
      held += part.length
      if (++this.#parts > mostParts || held > mostBytes) {
        this.socket.destroy()
        return false
      }
      return super.push(part, encoding)
    }

    /** Counts no more of it: it has its answer, or will get none. */
    end(): void {
      this.#isAnswered = true
      held -= this.bytes
      this.bytes = 0
    }
  }
  const answering = new Map<Socket, Incoming>()
  const drop = (socket: Socket) => {
    answering.get(socket)?.end()
    answering.delete(socket)
  }
  class BoundedServer extends Server {
    /** Clients send a request when they have the answer to the one before. One that does not is dealt with no more. */
    override emit(event: string, ...details: ReadonlyArray<unknown>): boolean {
      const [request, response] = details
      if (event !== "request" || !(request instanceof Incoming) || !(response instanceof ServerResponse)) {
        return super.emit(event, ...details)
      }
      const { socket } = request
      if (answering.has(socket)) {
        socket.destroy()
        return true
      }
      answering.set(socket, request)
      response.on("close", () => drop(socket))
      return super.emit(event, request, response)
    }
  }
  const server = new BoundedServer({ IncomingMessage: Incoming })
  server.maxConnections = limits.most
  // A call may take its time, and a stream may be silent. Node counts what the client reads as activity.
  return server.setTimeout(limits.patience, (socket) => {
    if (socket.writableLength > 0 || !answering.has(socket)) socket.destroy()
  })
}
