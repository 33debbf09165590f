/** Where the service is and who calls it: each setting with its source (flag, environment or profile). */
import * as SecretFile from "@transferkit/files/node/SecretFile"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Globals, oneProfile, override } from "../flags/Globals.ts"
import { readStandardInput } from "../terminal/StandardInput.ts"
import { UsageError } from "../UsageError.ts"
import * as Profiles from "./Profiles.ts"

/** A value and its source. */
export interface Setting<A> {
  readonly value: A
  readonly source: string
}

/** The settings of a run. A setting that nothing sets is absent. */
export interface Settings {
  readonly profile?: Setting<string>
  readonly baseUrl?: Setting<string>
  readonly partnerId?: Setting<string>
  readonly secretKey?: Setting<Redacted.Redacted>
  /** What the statuses of the deployment mean. */
  readonly statuses?: Pick<Profiles.Profile, "settled" | "failed">
  /** The deployment's operator for "less than or equal", if known. */
  readonly lteToken?: Setting<string>
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

/** Reads all settings. Flags win, then a profile named by a flag, then the environment, then the default profile. */
export const resolve = Effect.gen(function* () {
  const globals = yield* Globals
  const { profile, name, isNamed } = yield* chosenProfile
  const source = `profile ${name}`
  const pick = (key: "base_url" | "partner_id" | "secret_key"): Setting<string> | undefined => {
    const value = profile?.[key]
    return value === undefined ? undefined : { value, source }
  }
  const choose = Effect.fnUntraced(function* (flag: Setting<string> | undefined, key: Parameters<typeof pick>[0]) {
    const variable = yield* fromEnvironment(`TRANSFERS_${key.toUpperCase()}`)
    return flag ?? (isNamed ? (pick(key) ?? variable) : (variable ?? pick(key)))
  })
  const baseUrl = yield* choose(fromFlag("--base-url", globals.baseUrl), "base_url")
  const partnerId = yield* choose(fromFlag("--partner-id", globals.partnerId), "partner_id")
  const secretKey = yield* choose(yield* secretOfFlags, "secret_key")
  const lteToken = profile?.dialect?.lte_token
  const settings: Settings = {
    ...(profile && { profile: { value: name, source: isNamed ? "named" : "in use" } }),
    ...(baseUrl && { baseUrl }),
    ...(partnerId && { partnerId }),
    ...(secretKey && { secretKey: { ...secretKey, value: Redacted.make(secretKey.value) } }),
    ...(lteToken === undefined ? {} : { lteToken: { value: lteToken, source } }),
    ...(profile && {
      statuses: {
        ...(profile.settled && { settled: profile.settled }),
        ...(profile.failed && { failed: profile.failed }),
      },
    }),
  }
  return settings
}).pipe(Effect.withSpan("Settings.resolve"))

/** Whose transfers the service gives. */
export const partner = Effect.gen(function* () {
  if ((yield* Globals).sandbox) return "sandbox"
  const { partnerId } = yield* override({ secretKeyFile: undefined, secretKeyStdin: false })(resolve)
  return partnerId?.value ?? ""
})

/** The profile that a flag or the environment names, or the default one. */
export const chosenProfile = Effect.gen(function* () {
  const named = yield* oneProfile
  const variable = yield* fromEnvironment("TRANSFERS_PROFILE")
  const name = named ?? variable?.value ?? "default"
  const profiles = yield* Profiles.load
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile === undefined && (named !== undefined || variable !== undefined)) {
    const names = Object.keys(profiles)
    return yield* new UsageError({
      message: `There is no profile ${JSON.stringify(name)}. ${names.length === 0 ? "No profiles are saved" : `Saved profiles: ${names.join(", ")}`}. Save one with transfers profiles save NAME.`,
    })
  }
  return { profile, name, isNamed: named !== undefined }
})

const fromFlag = (name: string, value: string | undefined): Setting<string> | undefined =>
  value === undefined ? undefined : { value, source: `flag (${name})` }

/** The secret key that a flag gives. */
export const secretOfFlags = Effect.gen(function* () {
  const { secretKeyFile, secretKeyStdin } = yield* Globals
  if (secretKeyFile !== undefined && secretKeyStdin) {
    return yield* new UsageError({ message: "Give --secret-key-file or --secret-key-stdin, not both." })
  }
  if (secretKeyFile !== undefined) {
    return { value: yield* SecretFile.readLine(secretKeyFile), source: `file (${secretKeyFile})` }
  }
  return secretKeyStdin
    ? { value: SecretFile.firstLine(yield* readStandardInput), source: "standard input" }
    : undefined
})
