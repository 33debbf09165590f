/** What a command of the user inherits of an environment: all but what is secret in our own settings. */
import * as MirrorAddress from "../MirrorAddress.ts"

/** Ours, what others name so, and the settings of a fake, which no command of an event needs. */
const isSecret = (name: string): boolean =>
  /^(?:TRANSFERS_FAKE_|PGPASSWORD$)/i.test(name) ||
  (/^TRANSFERS_/i.test(name) && /SECRET|TOKEN|KEY|PASSWORD/i.test(name)) ||
  (/^OTEL_EXPORTER_OTLP_/i.test(name) && /HEADERS$/i.test(name))

/** The address of a mirror or of a collector. Another of the user's is theirs to give: a command may need its proxy. */
const addresses: ReadonlyArray<{ readonly name: RegExp; readonly isSecret: (value: string) => boolean }> = [
  { name: /^TRANSFERS_(?:[A-Z]+_)?MIRROR$/i, isSecret: MirrorAddress.hasSecret },
  // Whoever logs in stands before an @, and a token in a query.
  { name: /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?ENDPOINT$/i, isSecret: (value) => /[@?]/.test(value) },
]

export const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = ""]) =>
        !isSecret(name) && !addresses.some((address) => address.name.test(name) && address.isSecret(value)),
    ),
  )
