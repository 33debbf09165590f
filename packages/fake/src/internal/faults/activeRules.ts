/** Which faults happen to which request: rules in force, each counting the requests that it is about. */
import * as Draw from "@transferkit/in-memory/Draw"
import type { Fault, Rule } from "../../Fault.ts"

/** What rules look at. */
export interface Facts {
  readonly partner: string | undefined
  readonly path: string
  readonly after_cursor: string | undefined
}

/** A rule in force. */
interface Active {
  readonly id: string
  readonly rule: Rule
  /** Draws for `probability`: the same rule sees the same luck in every run. */
  readonly seed: number
  seen: number
  applied: number
}

/** The rules in force, in the order they were added. Mutable. */
export interface ActiveRules {
  readonly seed: number
  active: Array<Active>
  added: number
}

/** No rules. */
export const make = (seed: number): ActiveRules => ({ seed, active: [], added: 0 })

/** Puts rules in force, beside those that are. */
export const add = (self: ActiveRules, rules: ReadonlyArray<Rule>): void => {
  for (const rule of rules) {
    self.added += 1
    self.active.push({ id: String(self.added), rule, seed: Draw.keyOf(self.seed, self.added), seen: 0, applied: 0 })
  }
}

/** Puts all rules out of force. */
export const clear = (self: ActiveRules): void => {
  self.active = []
}

/** Back to the start: rules added from now on get the ids and draws that the first ones got. */
export const reset = (self: ActiveRules): void => {
  clear(self)
  self.added = 0
}

/** Puts one rule out of force; `false` where there is none with the id. */
export const remove = (self: ActiveRules, id: string): boolean => {
  const before = self.active.length
  self.active = self.active.filter((active) => active.id !== id)
  return self.active.length < before
}

/** A rule in force, with how many requests it has seen and changed. */
export interface Report {
  readonly id: string
  readonly rule: Rule
  readonly seen: number
  readonly applied: number
}

/** The rules in force. */
export const list = (self: ActiveRules): ReadonlyArray<Report> =>
  self.active.map(({ id, rule, seen, applied }) => ({ id, rule, seen, applied }))

/** The faults of a request, and a count for each rule that is about it. */
export const take = (self: ActiveRules, facts: Facts): ReadonlyArray<Fault> => {
  if (self.active.length === 0) return none
  return self.active.flatMap((active) => {
    if (!isAbout(active.rule, facts)) return []
    active.seen += 1
    const { rule } = active
    if (rule.times !== undefined && active.applied >= rule.times) return []
    if (!isDue(active)) return []
    active.applied += 1
    return rule.faults
  })
}

const none: ReadonlyArray<Fault> = []

const isAbout = ({ when }: Rule, { partner, path, after_cursor }: Facts): boolean => {
  if (when?.path === undefined && !path.startsWith("/v1/")) return false
  if (when === undefined) return true
  if (when.partner !== undefined && when.partner !== partner) return false
  if (when.path !== undefined && when.path !== path) return false
  if (when.cursor === undefined) return true
  return typeof when.cursor === "boolean" ? when.cursor === (after_cursor !== undefined) : when.cursor === after_cursor
}

const isDue = ({ rule: { when }, seen, seed }: Active): boolean => {
  if (when?.request !== undefined && !isCounted(when.request, seen)) return false
  return when?.probability === undefined || Draw.fraction(seed, seen) < when.probability
}

const isCounted = (request: NonNullable<NonNullable<Rule["when"]>["request"]>, seen: number): boolean => {
  if (typeof request === "number") return request === seen
  if ("includes" in request) return request.includes(seen)
  return "every" in request ? seen % request.every === 0 : seen >= request.from
}
