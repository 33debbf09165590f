/**
 * Names of hosts, in a URL and in a Host header. A web page can have its own name resolve to an address of this machine
 * or network ("DNS rebinding"); the Host header then still holds that name.
 */

/**
 * Whether it names this machine, whatever a resolver says: `localhost`, 127.0.0.0/8 or `::1`, in brackets or not. Not
 * names below `localhost`, because some resolvers ask the DNS for them.
 *
 * @example
 * HostName.isLoopback("127.1.2.3") // => true
 * HostName.isLoopback("[::1]") // => true
 * HostName.isLoopback("127.0.0.1.example.com") // => false
 */
export const isLoopback = (name: string): boolean => /^(?:localhost|\[::1\]|::1|127(?:\.\d{1,3}){3})$/i.test(name)

/**
 * The name in a Host header in lower case, without its port and the brackets of an IPv6 address; "" if it is no such
 * header.
 *
 * @example
 * HostName.ofHeader("Fake.Test:8080") // => "fake.test"
 * HostName.ofHeader("[::1]:8080") // => "::1"
 * HostName.ofHeader("a b") // => ""
 */
export const ofHeader = (header: string): string => {
  const [, address, name = ""] = /^(?:\[([0-9a-f:.]*)\]|([\w.-]*))(?::\d*)?$/i.exec(header) ?? []
  return (address ?? name).toLowerCase()
}

/**
 * Whether no page on the internet can have this name: an IP address, a name without a dot, `localhost` or one below it.
 *
 * @example
 * HostName.isUnregistrable("192.168.1.7") // => true
 * HostName.isUnregistrable("transfers-fake") // => true
 * HostName.isUnregistrable("app.localhost") // => true
 * HostName.isUnregistrable("example.com") // => false
 */
export const isUnregistrable = (name: string): boolean =>
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*|[\w-]+|(?:[\w-]+\.)+localhost)$/i.test(name)
