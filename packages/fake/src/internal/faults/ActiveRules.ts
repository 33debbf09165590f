/** The active fault rules. Each counts the requests that it applies to. */
import * as Draw from "@transferkit/in-memory/Draw"
import type { Fault } from "../../Fault.ts"
import type { Rule } from "../../FaultRule.ts"

/** The facts of a request that rules depend on. */
export interface Facts {
  readonly partner: string | undefined
  readonly path: string
  readonly after_cursor: string | undefined
}

/** An active rule. */
interface Active {
  readonly id: string
  readonly rule: Rule
  /** For the draws of `probability`: the same in every run. */
  readonly seed: number
  seen: number
  applied: number
}

/** The active rules, in the order they were added. Mutable. */
export interface ActiveRules {
  readonly seed: number
  active: Array<Active>
  added: number
}

/** No rules. */
export const make = (seed: number): ActiveRules => ({ seed, active: [], added: 0 })

/** Adds rules, and gives their ids. */
export const add = (self: ActiveRules, rules: ReadonlyArray<Rule>): ReadonlyArray<string> =>
  rules.map((rule) => {
    self.added += 1
    const id = String(self.added)
    self.active.push({ id, rule, seed: Draw.keyOf(self.seed, self.added), seen: 0, applied: 0 })
    return id
  })

/** Removes all rules. */
export const clear = (self: ActiveRules): void => {
  self.active = []
}

/** Back to the start: rules added from now on get the ids and draws that the first ones got. */
export const reset = (self: ActiveRules): void => {
  clear(self)
  self.added = 0
}

/** Removes one rule; `false` if there is none with the id. */
export const remove = (self: ActiveRules, id: string): boolean => {
  const before = self.active.length
  self.active = self.active.filter((active) => active.id !== id)
  return self.active.length < before
}

/** An active rule, with the number of requests that it has seen and changed. */
export interface Report {
  readonly id: string
  readonly rule: Rule
  readonly seen: number
  readonly applied: number
}

/** The active rules. */
export const list = (self: ActiveRules): ReadonlyArray<Report> =>
  self.active.map(({ id, rule, seen, applied }) => ({ id, rule, seen, applied }))

/** The faults of a request. Counts it for each rule that applies. */
export const take = (self: ActiveRules, facts: Facts): ReadonlyArray<Fault> => {
  if (self.active.length === 0) return none
  return self.active.flatMap((active) => {
    if (!matches(active.rule, facts)) return []
    active.seen += 1
    const { rule } = active
    if (rule.times !== undefined && active.applied >= rule.times) return []
    if (!isDue(active)) return []
    active.applied += 1
    return rule.faults
  })
}

const none: ReadonlyArray<Fault> = []

const matches = ({ when }: Rule, { partner, path, after_cursor }: Facts): boolean => {
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
