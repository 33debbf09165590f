/** The errors of the domain as those of the Promise client. */
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import { classes } from "./TransferKitError.ts"

/** An error that has a public class, as one; anything else as it is. Its stack begins where this is called. */
export const publicError = (error: unknown, attempts?: number): unknown => {
  if (!(error instanceof Error) || !Predicate.hasProperty(error, "_tag")) return error
  const { _tag: tag, ...fields } = { ...error }
  if (tag === "InvalidPagerOption") return invalidOption(fields)
  if (!isPublic(tag)) return error
  const details = Object.entries(fields).map(([name, value]) => [name, publicValue(value)])
  return new classes[tag](error.message, {
    ...Object.fromEntries(details),
    code: codeOf(tag),
    isRetryable: Predicate.hasProperty(error, "isRetryable") && error.isRetryable === true,
    ...(attempts === undefined ? {} : { attempts }),
  })
}

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
