/**
 * Data of the service, made safe to show to a language model: escaped, so that nothing in it acts on a terminal or hides
 * in it; and bounded, so that an answer never floods a conversation.
 */
import * as JsonValue from "@transferkit/domain/JsonValue"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Predicate from "effect/Predicate"

/** A value as JSON has it. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** An answer holds at most this many characters of data. */
export const maxCharacters = 40_000

/** A text of it holds at most this many. */
export const maxText = 1000

/** Nothing of ours is nested as deep. */
const maxDepth = 12

/** What is left of some data, and what it lacks. */
export interface Shown<Data extends Json = Json> {
  readonly data: Data
  /** Whether items or fields had no room. */
  readonly isPart: boolean
  /** Whether a text is cut, or what was nested too deep. */
  readonly isCut: boolean
}

/** The text, with what a terminal or a reader could be deceived by as visible escapes. */
export const clean = (text: string): string => {
  const cut = text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text.toWellFormed()
  return escapeControls(cut)
}

/** Makes any value safe, the first parts of it if all are too many. Of a list that is made as it is read, no more is made. */
export const bounded = (value: unknown): Shown => {
  const walk = bounding()
  const data = walk.value(value, 0)
  return { data, ...walk.lacks() }
}

/** Makes items safe, the first ones if all are too many. Only the first one may be there in part. */
export const boundedList = (items: Iterable<unknown>): Shown<ReadonlyArray<Json>> => {
  const walk = bounding()
  const { kept } = walk.items(items, 1)
  return { data: kept, ...walk.lacks() }
}

const bounding = () => {
  let left = maxCharacters
  let [isPart, isCut] = [false, false]
  const text = (given: string): string => {
    const shown = clean(given)
    isCut ||= given.length > maxText
    left -= shown.length + 4
    return shown
  }
  /** A number that keeps its text, unless that is too long. */
  const digits = (number: object): Json => {
    const shown = text(JSON.stringify(number))
    return shown.length > maxText ? shown : (JsonValue.parse(shown) as Json)
  }
  const value = (inner: unknown, depth: number): Json => {
    if (typeof inner === "string") return text(inner)
    left -= 8
    if (inner === null || typeof inner === "boolean") return inner
    // JSON has no infinity, which is what is left of 1e999 in the arguments of a call.
    if (typeof inner === "number") return Number.isFinite(inner) ? inner : String(inner)
    if (typeof inner !== "object") return null
    if (JsonValue.isNumberText(inner)) return digits(inner)
    if (depth > maxDepth) {
      isCut = true
      return "…"
    }
    if (!Predicate.isIterable(inner)) return members(inner, depth)
    const { kept, isWhole } = items(inner, depth)
    isPart ||= !isWhole
    return kept
  }
  const members = (inner: object, depth: number): Json => {
    const kept: Array<readonly [string, Json]> = []
    for (const [name, member] of Object.entries(inner)) {
      if (member === undefined) continue
      if (left <= 0) {
        isPart = true
        break
      }
      kept.push([text(name), value(member, depth + 1)])
    }
    return Object.fromEntries(kept)
  }
  /** An item is whole or absent: half a transfer would mislead. The first one is there nevertheless. */
  const items = (inner: Iterable<unknown>, depth: number) => {
    const kept: Array<Json> = []
    for (const item of inner) {
      if (left <= 0) return { kept, isWhole: false }
      const before = { isPart, isCut }
      isPart = false
      const shown = value(item, depth + 1)
      if (kept.length > 0 && (left < 0 || isPart)) {
        left = 0
        ;({ isPart, isCut } = before)
        return { kept, isWhole: false }
      }
      isPart ||= before.isPart
      kept.push(shown)
    }
    return { kept, isWhole: true }
  }
  return { value, items, lacks: () => ({ isPart, isCut }) }
}
