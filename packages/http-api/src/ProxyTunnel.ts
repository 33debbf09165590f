/** Tunnels through a proxy. Node reads a proxy's answer to CONNECT without a bound, and listens once more for each part of it. */
import type * as Https from "node:https"

/** As Node's own limit for the headers of a response. */
const maxBytes = 16 * 1024

/**
 * Holds an agent's tunnels to 16 KiB of the proxy's headers, and to some milliseconds until TLS has begun: 30,000 if none
 * are given. Connections without a tunnel stay as they are.
 *
 * @example
 * const agent = new Https.Agent({ proxyEnv: { HTTPS_PROXY: "http://127.0.0.1:9" } })
 * ProxyTunnel.bounded(agent) === agent // => true
 */
export const bounded = (agent: Https.Agent, milliseconds = 30_000): Https.Agent => {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const socket = connect(options, (error, stream) => {
      clearTimeout(timer)
      done?.(error, stream)
    })
    if (!socket || !("bytesRead" in socket)) return socket
    const on = socket.on.bind(socket)
    const fail = (problem: string) => socket.destroy(new Error(`The proxy ${problem}`))
    // Node adds this listener for a tunnel alone: first at its start, then again after each part that it has read.
    const value = (name: string, listener: () => void) => {
      if (name !== "readable") return on(name, listener)
      timer ??= setTimeout(() => fail(`has opened no connection within ${milliseconds / 1000} s`), milliseconds)
      if (Number(socket.bytesRead) > maxBytes) fail(`has answered with headers of more than ${maxBytes / 1024} KiB`)
      return socket.listeners(name).includes(listener) ? socket : on(name, listener)
    }
    return Object.defineProperty(socket, "on", { value, configurable: true, writable: true })
  }
  return agent
}
