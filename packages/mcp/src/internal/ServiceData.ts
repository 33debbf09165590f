/**
 * Data of the service, made safe to show to a language model: escaped, so that nothing in it acts on a terminal or hides
 * in it; and bounded, so that an answer never floods a conversation.
 */
import * as JsonValue from "@transferkit/domain/JsonValue"
import { escapeControls } from "@transferkit/domain/SafeText"

/** A value as JSON has it. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** An answer holds at most this many characters of data. */
const maxCharacters = 40_000

/** A text of it holds at most this many. */
const maxText = 1000

/** Nothing of ours is nested as deep. */
const maxDepth = 12

/** What is left of some data, and whether something was left out. */
export interface Shown {
  readonly data: Json
  readonly truncated: boolean
}

/** The text, with what a terminal or a reader could be deceived by as visible escapes. */
export const clean = (text: string): string => {
  const cut = text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text.toWellFormed()
  return escapeControls(cut)
}

/** Makes any value safe, the first parts of it if all are too many. */
export const bounded = (value: unknown): Shown => {
  let left = maxCharacters
  let truncated = false
  const text = (given: string): string => {
    const shown = clean(given)
    truncated ||= given.length > maxText
    left -= shown.length + 4
    return shown
  }
  /** A number that keeps its text, unless that is too long. */
  const digits = (number: object): Json => {
    const shown = text(JSON.stringify(number))
    return shown.length > maxText ? shown : (JsonValue.parse(shown) as Json)
  }
  const walk = (inner: unknown, depth: number): Json => {
    if (typeof inner === "string") return text(inner)
    left -= 8
    if (inner === null || typeof inner === "boolean") return inner
    // JSON has no infinity, which is what is left of 1e999 in the arguments of a call.
    if (typeof inner === "number") return Number.isFinite(inner) ? inner : String(inner)
    if (typeof inner !== "object") return null
    if (JsonValue.isNumberText(inner)) return digits(inner)
    if (depth > maxDepth) {
      truncated = true
      return "…"
    }
    const isList = Array.isArray(inner)
    const kept: Array<readonly [string, Json]> = []
    for (const [name, member] of Object.entries(inner)) {
      if (member === undefined) continue
      if (left <= 0) {
        truncated = true
        break
      }
      const [before, wasTruncated] = [left, truncated]
      const shown = [isList ? "" : text(name), walk(member, depth + 1)] as const
      // An item of a list is whole or absent: half a transfer would mislead.
      if (isList && left < 0 && kept.length > 0) {
        left = Math.min(0, before)
        truncated = true
        break
      }
      truncated ||= wasTruncated
      kept.push(shown)
    }
    return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept)
  }
  return { data: walk(value, 0), truncated }
}
