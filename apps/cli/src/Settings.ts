/** Where the service is and who is calling: each setting with the source that won (flag, environment, default). */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "./Failure.ts"
import type { Globals } from "./Globals.ts"
import { readStandardInput } from "./StandardInput.ts"
import { readText } from "./TextFile.ts"

/** A value and where it came from. */
export interface Setting<A> {
  readonly value: A
  readonly source: string
}

/** The settings of a run. What nothing sets is absent. */
export interface Settings {
  readonly baseUrl?: Setting<string>
  readonly partnerId?: Setting<string>
  readonly secretKey?: Setting<Redacted.Redacted>
}

/** Settings with which the service can be called. */
export interface Credentials {
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
}

const fromEnvironment = (name: string): Effect.Effect<Setting<string> | undefined> =>
  Config.option(Config.String(name)).pipe(
    Effect.map((value) =>
      Option.match(value, {
        onNone: () => undefined,
        onSome: (text) => (text === "" ? undefined : { value: text, source: `environment (${name})` }),
      }),
    ),
    Effect.orElseSucceed(() => undefined),
  )

/** Reads all settings, flags before the environment. */
export const resolve = Effect.fn("Settings.resolve")(function* (globals: Globals) {
  const baseUrl = fromFlag("--base-url", globals.baseUrl) ?? (yield* fromEnvironment("TRANSFERS_BASE_URL"))
  const partnerId = fromFlag("--partner-id", globals.partnerId) ?? (yield* fromEnvironment("TRANSFERS_PARTNER_ID"))
  const secretKey = yield* resolveSecret(globals)
  const settings: Settings = {
    ...(baseUrl && { baseUrl }),
    ...(partnerId && { partnerId }),
    ...(secretKey && { secretKey }),
  }
  return settings
})

const fromFlag = (name: string, value: string | undefined): Setting<string> | undefined =>
  value === undefined ? undefined : { value, source: `flag (${name})` }

const resolveSecret = Effect.fnUntraced(function* (globals: Globals) {
  if (globals.secretKeyFile !== undefined && globals.secretKeyStdin) {
    return yield* new UsageError({ message: "Give --secret-key-file or --secret-key-stdin, not both." })
  }
  if (globals.secretKeyFile !== undefined) {
    return secret(firstLine(yield* readText(globals.secretKeyFile)), `file (${globals.secretKeyFile})`)
  }
  if (globals.secretKeyStdin) return secret(firstLine(yield* readStandardInput), "standard input")
  const variable = yield* fromEnvironment("TRANSFERS_SECRET_KEY")
  return variable === undefined ? undefined : secret(variable.value, variable.source)
})

const secret = (text: string, source: string): Setting<Redacted.Redacted> => ({ value: Redacted.make(text), source })

/** Editors end a file with a line break, which is no part of the key. */
const firstLine = (text: string): string => text.replace(/^\ufeff/, "").split(/\r?\n/, 1)[0] ?? ""

/** The settings as credentials, or what is missing and how to give it. */
export const credentials = (settings: Settings): Effect.Effect<Credentials, UsageError> => {
  const { baseUrl, partnerId, secretKey } = settings
  if (baseUrl === undefined || partnerId === undefined || secretKey === undefined) {
    const missing = [
      ...(baseUrl === undefined ? ["the base URL (--base-url or TRANSFERS_BASE_URL)"] : []),
      ...(partnerId === undefined ? ["the partner id (--partner-id or TRANSFERS_PARTNER_ID)"] : []),
      ...(secretKey === undefined
        ? ["the secret key (TRANSFERS_SECRET_KEY, --secret-key-file or --secret-key-stdin)"]
        : []),
    ]
    return Effect.fail(
      new UsageError({
        message: `Missing: ${missing.join(", ")}. To try things out without any of them, use --sandbox.`,
      }),
    )
  }
  return Effect.succeed({ baseUrl: baseUrl.value, partnerId: partnerId.value, secretKey: secretKey.value })
}
