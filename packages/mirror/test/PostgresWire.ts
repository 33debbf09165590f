/** Speaks PostgreSQL's protocol and finds no row: what a mirror asks of its sessions can be seen without a database. */
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
  readonly close: () => Promise<void>
}

const message = (type: string, ...parts: ReadonlyArray<Buffer | string>): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const ready = message("Z", Buffer.from("I"))
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

const serve = (socket: Socket, session: Session & { readonly settings: Map<string, string> }): void => {
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
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), message("K", Buffer.alloc(8)), ready]))
      } else {
        if (type === "P") session.statements.push(texts(body)[1] ?? "")
        if (type === "Q") session.statements.push(texts(body)[0] ?? "")
        const reply = replies[type]
        if (reply !== undefined) socket.write(type === "D" && body[0] !== 0x53 ? message("n") : reply)
      }
    }
  })
}

export const start = async (): Promise<PostgresWire> => {
  const sessions: Array<Session> = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const session = { settings: new Map<string, string>(), password: undefined, statements: [] }
    sessions.push(session)
    serve(socket, session)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    address: `postgres://me:secret@127.0.0.1:${port}/transfers?sslmode=disable`,
    sessions,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
