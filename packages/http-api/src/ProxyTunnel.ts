/**
 * Tunnels through a proxy. Node reads a proxy's answer to CONNECT without a bound, listens once more for each part of it,
 * and repeats it.
 */
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
    let hasFailed = false
    const socket = connect(options, (error, stream) => {
      hasFailed = error !== null
      clearTimeout(timer)
      done?.(plain(error), stream)
    })
    if (!socket || !("bytesRead" in socket)) return socket
    const on = socket.on.bind(socket)
    const fail = (problem: string) => socket.destroy(new Error(`The proxy ${problem}`))
    // Node adds this listener for a tunnel alone: first at its start, then again after each part that it has read.
    const value = (name: string, listener: () => void) => {
      if (name !== "readable") return on(name, listener)
      // Node goes on to read what follows a status, and no longer listens for errors.
      if (hasFailed) return socket.destroy()
      timer ??= setTimeout(() => fail(`has opened no connection within ${milliseconds / 1000} s`), milliseconds)
      if (Number(socket.bytesRead) > maxBytes) fail(`has answered with headers of more than ${maxBytes / 1024} KiB`)
      return socket.listeners(name).includes(listener) ? socket : on(name, listener)
    }
    return Object.defineProperty(socket, "on", { value, configurable: true, writable: true })
  }
  return agent
}

/** Node's error repeats what the proxy has answered, which may be the password that it was sent. */
const plain = (error: Error | null): Error | null => {
  const { code, statusCode }: { readonly code?: unknown; readonly statusCode?: unknown } = Object(error)
  return code === "ERR_PROXY_TUNNEL" && statusCode !== undefined
    ? Object.assign(new Error(`The proxy has answered CONNECT with status ${String(statusCode)}`), { code, statusCode })
    : error
}

/**
 * What is wrong with the proxies of an environment that Node is set to use, as a sentence without their addresses: Node's
 * own error repeats the password. Most other faults it reports before the program starts, and this one in HTTP_PROXY, too.
 *
 * @example
 * ProxyTunnel.faultOf({ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: "http://me:secret@proxy.example:3128\n" })?.includes("secret") // => false
 * ProxyTunnel.faultOf({ NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: "http://proxy.example:3128" }) // => undefined
 */
export const faultOf = (env: Readonly<Record<string, string | undefined>>): string | undefined => {
  if (env["NODE_USE_ENV_PROXY"] !== "1" && !env["NODE_OPTIONS"]?.includes("--use-env-proxy")) return undefined
  const name = Object.keys(env).find((name) => /^https?_proxy$/i.test(name) && /[\r\n]/.test(env[name] ?? ""))
  return name === undefined
    ? undefined
    : `${name} has a line break. Write one address without it, such as http://proxy.example:3128`
}
