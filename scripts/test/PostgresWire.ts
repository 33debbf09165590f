/**
 * Speaks PostgreSQL's protocol and finds no row, unless a test answers something else: what a mirror asks of its
 * sessions, and what it makes of hostile answers, can be seen without a database.
 */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** A connection, as the server saw it. */
export interface Session {
  /** The settings that it began with, such as `application_name`. */
  readonly settings: ReadonlyMap<string, string>
  /** The password that it sent. */
  password: string | undefined
  readonly statements: Array<string>
}

export interface PostgresWire {
  readonly address: string
  readonly sessions: Array<Session>
  /** How often it answered nothing. */
  readonly silences: number
  /** Connections that are open. */
  readonly open: number
  readonly close: () => Promise<void>
}

/** What the server answers to a message, in place of its own answer. Nothing, if it is empty. */
export type Answer = (asked: {
  readonly type: string
  readonly text: string
  readonly session: Session
}) => Buffer | undefined

export const message = (type: string, ...parts: ReadonlyArray<Buffer | string>): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A response that ends what was asked with an error. */
export const error = (text: string, code = "XX000"): Buffer =>
  message("E", "SERROR", `C${code}`, `M${text}`, Buffer.alloc(1))

/** The columns of a result, each with the number of its type, in the binary format. */
export const columns = (types: Readonly<Record<string, number>>): Buffer => {
  const fields = Object.entries(types).flatMap(([name, type]) => {
    const rest = Buffer.alloc(18)
    rest.writeInt32BE(type, 6)
    rest.writeInt16BE(-1, 10)
    rest.writeInt16BE(1, 16)
    return [Buffer.from(`${name}\0`), rest]
  })
  const count = Buffer.alloc(2)
  count.writeInt16BE(Object.keys(types).length)
  return message("T", count, ...fields)
}

/** A row of values, each as its bytes. */
export const row = (...values: ReadonlyArray<Buffer | null>): Buffer => {
  const count = Buffer.alloc(2)
  count.writeInt16BE(values.length)
  const parts = values.flatMap((value) => {
    const size = Buffer.alloc(4)
    size.writeInt32BE(value?.length ?? -1)
    return value === null ? [size] : [size, value]
  })
  return message("D", count, ...parts)
}

export const ready = message("Z", Buffer.from("I"))
const replies: Readonly<Record<string, Buffer>> = {
  P: message("1"),
  B: message("2"),
  D: Buffer.concat([message("t", Buffer.alloc(2)), message("n")]),
  E: message("C", "SELECT 0"),
  C: message("3"),
  S: ready,
  Q: Buffer.concat([message("C", "SELECT 0"), ready]),
}

const texts = (body: Buffer): ReadonlyArray<string> => body.toString("utf8").split("\0")

const serve = (socket: Socket, session: Session & { readonly settings: Map<string, string> }, answer: Answer): void => {
  let rest = Buffer.alloc(0)
  let isBegun = false
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const at = isBegun ? 1 : 0
      if (rest.length < at + 4) return
      const length = at + rest.readInt32BE(at)
      if (rest.length < length) return
      const [type, body] = [String.fromCharCode(rest[0] ?? 0), rest.subarray(at + 4, length)]
      rest = rest.subarray(length)
      if (!isBegun) {
        isBegun = true
        const words = texts(body.subarray(4))
        for (let index = 0; index + 1 < words.length; index += 2) {
          session.settings.set(words[index] ?? "", words[index + 1] ?? "")
        }
        socket.write(message("R", Buffer.from([0, 0, 0, 3])))
      } else if (type === "p") {
        session.password = texts(body)[0]
        const other = answer({ type, text: "", session })
        if (other !== undefined) socket.write(other)
        else socket.write(Buffer.concat([message("R", Buffer.alloc(4)), message("K", Buffer.alloc(8)), ready]))
      } else {
        if (type === "P") session.statements.push(texts(body)[1] ?? "")
        if (type === "Q") session.statements.push(texts(body)[0] ?? "")
        const other = answer({ type, text: session.statements.at(-1) ?? "", session })
        const reply = replies[type]
        if (other !== undefined) socket.write(other)
        else if (reply !== undefined) socket.write(type === "D" && body[0] !== 0x53 ? message("n") : reply)
      }
    }
  })
}

export const start = async (answer: Answer = () => undefined): Promise<PostgresWire> => {
  const sessions: Array<Session> = []
  const sockets = new Set<Socket>()
  let silences = 0
  const counted: Answer = (asked) => {
    const other = answer(asked)
    if (other?.length === 0) silences++
    return other
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    const session = { settings: new Map<string, string>(), password: undefined, statements: [] }
    sessions.push(session)
    serve(socket, session, counted)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    address: `postgres://me:secret@127.0.0.1:${port}/transfers?sslmode=disable`,
    sessions,
    get silences() {
      return silences
    },
    get open() {
      return sockets.size
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
