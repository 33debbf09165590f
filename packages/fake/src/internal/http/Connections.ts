/** Resets connections. Node resets TCP connections only, so the one under a TLS connection is needed. */
import type * as https from "node:https"
import type * as net from "node:net"
import * as tls from "node:tls"

/** The TCP connection under a TLS connection. */
const beneath = new WeakMap<net.Socket, net.Socket>()

const peerOf = ({ remoteAddress, remotePort }: net.Socket): string => `${remoteAddress} ${remotePort}`

/** Remembers the TCP connections of a server. */
export const track = (server: https.Server): https.Server => {
  const open = new Map<string, net.Socket>()
  server.on("connection", (socket: net.Socket) => {
    const peer = peerOf(socket)
    open.set(peer, socket)
    socket.once("close", () => open.delete(peer))
  })
  server.on("secureConnection", (socket) => {
    const tcp = open.get(peerOf(socket))
    if (tcp !== undefined) beneath.set(socket, tcp)
  })
  return server
}

/** Resets a connection that is still open. */
export const reset = (socket: net.Socket | null): void => {
  const tcp = socket instanceof tls.TLSSocket ? beneath.get(socket) : socket
  if (tcp?.destroyed === false) tcp.resetAndDestroy()
}
