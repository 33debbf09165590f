/** What a command of the user inherits of an environment: all but secrets. */
import * as MirrorAddress from "../MirrorAddress.ts"

/** Ours, what others name so, and the settings of a fake, which no command of an event needs. */
const secrets =
  /^(?:TRANSFERS_FAKE_.*|TRANSFERS_.*(?:SECRET|TOKEN|KEY|PASSWORD).*|PGPASSWORD|OTEL_EXPORTER_OTLP_.*HEADERS)$/i

/** Without secrets, without addresses of databases that have one, and with other addresses less who logs in there. */
export const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value = ""]) => {
      if (secrets.test(name)) return []
      const isMirror = /^TRANSFERS_(?:[A-Z]+_)?MIRROR$/i.test(name) || /^\s*postgres(?:ql)?:/i.test(value)
      if (isMirror) return MirrorAddress.hasSecret(value) ? [] : [[name, value]]
      return [[name, withoutLogins(value)]]
    }),
  )

/** A text whose URLs have no user and no password. */
const withoutLogins = (text: string): string => {
  const [start = "", ...rest] = text.split("://")
  return [start, ...rest.map(withoutLogin)].join("://")
}

/** What follows a `://`. After a colon that no port follows, a password may hold any character. */
const withoutLogin = (text: string): string => {
  const url = text.split(/\s/, 1)[0] ?? ""
  const host = url.split(/[/?#]/, 1)[0] ?? ""
  const isPassword = /:\D/.test(host) && !host.startsWith("[")
  const end = (host.includes("@") || !isPassword ? host : url).lastIndexOf("@")
  return text.slice(end + 1)
}
