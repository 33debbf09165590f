/** Fields of transfers that a model must not see: each value becomes a pseudonym. */
import { createHmac, randomBytes } from "node:crypto"
import { fields } from "@transferkit/domain/Transfer"
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/** Masks the fields of a transfer: those that are there, by name. */
export type Mask = (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** A list names a field that a transfer does not have. */
export class InvalidMask extends Data.TaggedError("InvalidMask")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/**
 * Reads a list of fields, separated by commas; `extra` is all that the contract does not name. A value has the same pseudonym wherever it appears, as long as this program runs.
 *
 * @example
 * Result.getOrThrow(Mask.parse(undefined))({ status: "complete" }) // => { status: "complete" }
 * Result.isFailure(Mask.parse("wallet")) // => true
 */
export const parse = (list: string | undefined): Result.Result<Mask, InvalidMask> => {
  const names = list === undefined ? [] : list.split(",").map((name) => name.trim())
  const known = [...Object.keys(fields), "extra"]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return Result.fail(new InvalidMask({ reason: `expected ${known.join(", ")}, found ${JSON.stringify(unknown)}.` }))
  }
  const key = randomBytes(32)
  const pseudonym = (value: unknown): string =>
    `masked-${createHmac("sha256", key).update(JSON.stringify(value)).digest("hex").slice(0, 12)}`
  const masked = new Set(names)
  const isMasked = (name: string): boolean => masked.has(name) || (masked.has("extra") && !Object.hasOwn(fields, name))
  return Result.succeed((given) =>
    masked.size === 0
      ? given
      : Object.fromEntries(
          Object.entries(given).map(([name, value]) => [
            name,
            value !== undefined && value !== null && isMasked(name) ? pseudonym(value) : value,
          ]),
        ),
  )
}

/**
 * Whether a field is masked. Then no total, group or filter may reveal it either.
 *
 * @example
 * Mask.hides(Result.getOrThrow(Mask.parse("status")), "status") // => true
 * Mask.hides(Result.getOrThrow(Mask.parse("status")), "kind") // => false
 */
export const hides = (mask: Mask, name: string): boolean => mask({ [name]: "" })[name] !== ""
