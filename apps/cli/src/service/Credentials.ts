/** The settings a call of the service needs, or all their faults in one message. */
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"
import type { Settings } from "./Settings.ts"

/** Where the service is and who is calling. */
export interface Credentials {
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
}

/** How each setting is given. The secret key has no flag of its own. */
const waysToSet = {
  baseUrl: ["base URL", "--base-url, TRANSFERS_BASE_URL or base_url in a profile"],
  partnerId: ["partner id", "--partner-id, TRANSFERS_PARTNER_ID or partner_id in a profile"],
  secretKey: ["secret key", "--secret-key-file, --secret-key-stdin, TRANSFERS_SECRET_KEY or secret_key in a profile"],
} as const

const names = ["baseUrl", "partnerId", "secretKey"] as const

/** The settings as credentials, if the client accepts them. */
export const of = (settings: Settings): Effect.Effect<Credentials, UsageError> => accept(settings, invalid(settings))

/** The settings as credentials, whatever their values. */
export const unchecked = (settings: Settings): Effect.Effect<Credentials, UsageError> => accept(settings, [])

const accept = (settings: Settings, faults: ReadonlyArray<string>): Effect.Effect<Credentials, UsageError> => {
  const { baseUrl, partnerId, secretKey } = settings
  if (faults.length === 0 && baseUrl !== undefined && partnerId !== undefined && secretKey !== undefined) {
    return Effect.succeed({ baseUrl: baseUrl.value, partnerId: partnerId.value, secretKey: secretKey.value })
  }
  return Effect.fail(new UsageError({ message: [...faults, ...missing(settings)].join("\n") }))
}

const missing = (settings: Settings): ReadonlyArray<string> => {
  const absent = names.filter((name) => settings[name] === undefined)
  const list = absent.map((name) => `- ${waysToSet[name].join(": ")}`)
  const way = "Save them once with transfers profiles save NAME. Without an account, try transfers search --sandbox."
  return absent.length === 0 ? [] : ["Missing settings:", ...list, way]
}

const acceptable: Credentials = {
  baseUrl: "https://transfers.example",
  partnerId: "partner",
  secretKey: Redacted.make("secret"),
}

/** The faults of the settings that are given, each checked beside values that are accepted, so that none hides another. */
export const invalid = (settings: Settings): ReadonlyArray<string> =>
  names.flatMap((name) => {
    const setting = settings[name]
    if (setting === undefined) return []
    const checked = HttpTransferApi.check({ ...acceptable, [name]: setting.value })
    if (Result.isSuccess(checked)) return []
    const [what, ways] = waysToSet[name]
    return [`Cannot use the ${what} from ${setting.source}: ${checked.failure.reason}. It is set by ${ways}.`]
  })
