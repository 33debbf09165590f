/**
 * Bounds what the connections of HTTP clients hold: how many there are, what they have sent of requests that have no
 * answer yet, in how many parts, and how long an answer waits for a client that does not read it. For Node.
 */
import { type IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
import { Socket } from "node:net"

/**
 * How many clients may be connected, how long they may be silent, and which of their requests count.
 *
 * @example
 * const options = { most: 20, patience: 5000, isAdmitted: ({ authorization }) => authorization === "Bearer token" }
 * BoundedServer.make(options).timeout // => 5000
 */
export interface Options {
  /**
   * The most connections at a time. One more takes the place of the oldest that has no request under way, preferably of
   * one whose latest request was not admitted, so silent connections cannot use up the server. If all have one, as many
   * wait for the next answer. @default 200
   */
  readonly most?: number
  /** How long an answer may wait for a client to read a byte of it, and a request for its next byte, in milliseconds. @default 30,000 */
  readonly patience?: number
  /** Whether a request is one of a client, by its headers. @default all are */
  readonly isAdmitted?: (headers: IncomingHttpHeaders) => boolean
}

/** The most parts of a body: one of a mebibyte has some hundred if it comes over a network. */
const mostParts = 4096

/** Bytes of the bodies of all requests without an answer. The oldest that are not complete give way to others. */
const mostBytes = 32 << 20

/**
 * A server whose connections are bounded: to 200, which may be silent for 30 seconds, unless other limits are given.
 *
 * @example
 * const server = BoundedServer.make().on("request", (request, response) => response.end("here"))
 * server.timeout // => 30000
 */
export const make = ({ most = 200, patience = 30_000, isAdmitted = () => true }: Options = {}): Server => {
  let held = 0
  class Incoming extends IncomingMessage {
    bytes = 0
    #parts = 0

    override push(part: Uint8Array | null, encoding?: BufferEncoding): boolean {
      if (part === null) return super.push(part, encoding)
      // Node's parser goes on with what it had read when the connection was closed.
      if (this.socket.destroyed) return false
      // What is counted is given back with the answer: so not after it, nor of a request that gets none.
      if (answering.get(this.socket) !== this) return super.push(part, encoding)
      this.bytes += part.length
      held += part.length
      if (++this.#parts > mostParts) close(this.socket)
      makeRoom()
      return !this.socket.destroyed && super.push(part, encoding)
    }
  }
  /** From the oldest, and whether the latest request of each was admitted. */
  const open = new Map<Socket, boolean>()
  const answering = new Map<Socket, Incoming>()
  const drop = (socket: Socket) => {
    held -= answering.get(socket)?.bytes ?? 0
    answering.delete(socket)
  }
  const close = (socket: Socket) => {
    drop(socket)
    socket.destroy()
  }
  /** Closes the oldest whose requests are not complete, until the bodies of the others have room. */
  const makeRoom = () => {
    for (const [socket, { complete }] of answering) {
      if (held <= mostBytes) return
      if (!complete) close(socket)
    }
  }
  /** A request whose body is not complete holds no place: it may never be. */
  const isWorking = (socket: Socket): boolean => open.get(socket) === true && answering.get(socket)?.complete === true
  const hasRoom = (): boolean => {
    if (open.size < most) return true
    const idle = [...open.keys()].filter((socket) => !isWorking(socket))
    const between = idle.filter((socket) => open.get(socket) === true)
    const strangers = idle.filter((socket) => open.get(socket) === false)
    // If more are between requests, a client keeps them, and a stranger may be one whose first request is on its way.
    const [oldest] = between.length > strangers.length ? between : strangers
    oldest?.destroy()
    return oldest !== undefined && open.delete(oldest)
  }
  /** Those that wait for a place, from the oldest, and what ends their wait. */
  const waiting = new Map<Socket, () => void>()
  const wait = (socket: Socket) => {
    if (waiting.size >= most) return void socket.destroy()
    const leave = () => void socket.destroy()
    const timer = setTimeout(leave, patience)
    const end = () => {
      clearTimeout(timer)
      waiting.delete(socket)
    }
    waiting.set(socket, end)
    socket.on("error", leave).once("close", end)
  }
  let next: Socket | undefined
  /** The oldest that waits takes the place of a connection that has its answer, or of another. */
  const admitNext = (answered?: Socket) => {
    const [first] = waiting
    if (first === undefined) return
    if (answered !== undefined && open.delete(answered)) answered.destroy()
    if (!hasRoom()) return
    const [socket, end] = first
    end()
    next = socket
    server.emit("connection", socket)
  }
  class BoundedServer extends Server {
    override emit(event: string, ...details: ReadonlyArray<unknown>): boolean {
      const [subject, response] = details
      const isDealtWith =
        (event === "connection" && subject instanceof Socket && !this.#welcome(subject)) ||
        (event === "request" &&
          subject instanceof Incoming &&
          response instanceof ServerResponse &&
          !this.#take(subject, response))
      return isDealtWith || super.emit(event, ...details)
    }

    #welcome(socket: Socket): boolean {
      // Those that wait go first.
      if (socket !== next && (waiting.size > 0 || !hasRoom())) {
        wait(socket)
        admitNext()
        return false
      }
      open.set(socket, false)
      socket.on("close", () => {
        open.delete(socket)
        admitNext()
      })
      return true
    }

    override close(done?: (error?: Error) => void): this {
      for (const socket of waiting.keys()) socket.destroy()
      return super.close(done)
    }

    /** Clients send a request when they have the answer to the one before. One that does not is dealt with no more. */
    #take(request: Incoming, response: ServerResponse): boolean {
      const { socket } = request
      if (socket.destroyed || answering.has(socket)) {
        socket.destroy()
        return false
      }
      answering.set(socket, request)
      open.set(socket, isAdmitted(request.headers))
      response.on("close", () => {
        drop(socket)
        admitNext(socket)
      })
      return true
    }
  }
  const server = new BoundedServer({ IncomingMessage: Incoming })
  // A call may take its time, and a stream may be silent, but a body may not. Node counts what the client reads as activity.
  return server.setTimeout(patience, (socket) => {
    if (socket.writableLength > 0 || answering.get(socket)?.complete !== true) socket.destroy()
  })
}
