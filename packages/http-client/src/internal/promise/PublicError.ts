/** The errors of the domain as those of the Promise client. */
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import { classes } from "./TransferKitError.ts"

/** An error that has a public class, as one; anything else as it is. Its stack begins where this is called. */
export const publicError = (error: unknown, attempts?: number): unknown => {
  if (!(error instanceof Error) || !Predicate.hasProperty(error, "_tag")) return error
  const { _tag: tag, ...given } = { ...error }
  if (tag === "InvalidPagerOption") return invalidOption(given)
  if (!isPublic(tag)) return error
  const details = Object.entries(given).filter(([name]) => !hidden.test(name))
  const found = new classes[tag](error.message, {
    ...Object.fromEntries(details.map(([name, value]) => [name, publicValue(value)])),
    code: codeOf(tag),
    isRetryable: Predicate.hasProperty(error, "isRetryable") && error.isRetryable === true,
    ...(attempts === undefined ? {} : { attempts }),
  })
  // As `cause` of the platform's own errors: for programs that look for ECONNREFUSED, and not enumerable.
  const { errno, reason } = Object(given)
  return errno === undefined
    ? found
    : Object.defineProperty(found, "cause", { value: Object.assign(new Error(reason), { code: errno }) })
}

/** Fields of the domain's errors that those of the client do not have. */
const hidden = /^(?:isPermanent|truncated|option|errno)$/

const isPublic = (tag: unknown): tag is keyof typeof classes => typeof tag === "string" && Object.hasOwn(classes, tag)

/** `RateLimited` has the code `rate_limited`. */
const codeOf = (tag: string): string => tag.replaceAll(/(?!^)[A-Z]/g, "_$&").toLowerCase()

// A cursor can have thousands of characters, all of which `console.error` would print.
const publicValue = (value: unknown): unknown => {
  if (Duration.isDuration(value)) return Duration.toMillis(value)
  return typeof value === "string" ? value.slice(0, 1024) : value
}

const invalidOption = ({ option, given, accepted }: Readonly<Record<string, unknown>>) => {
  const reason = `it must be ${accepted}, not ${given}`
  const details = { code: codeOf("InvalidConfiguration"), isRetryable: false, setting: option, reason }
  return new classes.InvalidConfiguration(`Invalid ${option}: ${reason}.`, details)
}
