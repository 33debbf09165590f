/**
 * Rejects fault rules that can never work: an unknown partner, an invalid transfer, an `id` that is taken. Failures that
 * show only when a fault applies are in the journal's `problems`.
 */
import type { Source } from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"
import type { Fault } from "../../Fault.ts"
import * as FaultRule from "../../FaultRule.ts"
import * as NewTransfer from "../data/NewTransfer.ts"
import * as Additions from "./Additions.ts"
import { maxDepth } from "./Drift.ts"
import * as Insertions from "./Insertions.ts"

/** The state that rules are checked against. */
export interface Facts {
  readonly sources: ReadonlyMap<string, Source>
  /** The active rules. */
  readonly active: ReadonlyArray<FaultRule.Rule>
}

/** Reads fault rules, and checks that they can work. */
export const parse = (
  value: unknown,
  facts: Facts,
): Result.Result<ReadonlyArray<FaultRule.Rule>, FaultRule.InvalidRule> =>
  Result.gen(function* () {
    const rules = yield* Result.mapError(FaultRule.parse(value), (reason) => new FaultRule.InvalidRule({ reason }))
    const together = facts.active.length + rules.length
    if (together > FaultRule.maxRules) {
      const reason = `expected at most ${FaultRule.maxRules} active rules, not ${together}: remove some first`
      return yield* Result.fail(new FaultRule.InvalidRule({ reason }))
    }
    const faults = [...facts.active, ...rules].reduce((sum, rule) => sum + rule.faults.length, 0)
    if (faults > FaultRule.maxFaults) {
      const reason = `expected at most ${FaultRule.maxFaults} faults of all active rules, not ${faults}: remove some first`
      return yield* Result.fail(new FaultRule.InvalidRule({ reason }))
    }
    const removes = [...rules, ...facts.active].some((rule) => rule.faults.some(({ fault }) => fault === "remove"))
    const inserted = TransferStore.make()
    for (const [index, rule] of rules.entries()) {
      const at = FaultRule.placeOf(value, index)
      const partner = rule.when?.partner
      if (partner !== undefined && !facts.sources.has(partner)) {
        const reason = `there is no partner ${JSON.stringify(partner)} at ${at}/when/partner`
        return yield* Result.fail(new FaultRule.InvalidRule({ reason }))
      }
      const [only] = facts.sources.size === 1 ? facts.sources.values() : []
      const source = partner === undefined ? only : facts.sources.get(partner)
      const sum = Insertions.sumOf(rule.faults)
      if (sum > Insertions.most) {
        const reason = `expected at most ${Insertions.most} transfers that a request inserts, not ${sum}, at ${at}/faults`
        return yield* Result.fail(new FaultRule.InvalidRule({ reason }))
      }
      const added = Additions.problemOf(rule.faults)
      if (added !== undefined)
        return yield* Result.fail(new FaultRule.InvalidRule({ reason: `${added} at ${at}/faults` }))
      const deep = rule.faults.findIndex((fault) => fault.fault === "nesting" && fault.depth > maxDepth)
      if (deep !== -1 && rule.faults.some(({ fault }, place) => fault === "drift" && place > deep)) {
        const reason = `drift cannot change a body with nesting of more than ${maxDepth} levels at ${at}/faults/${deep}`
        return yield* Result.fail(new FaultRule.InvalidRule({ reason }))
      }
      for (const [place, fault] of rule.faults.entries()) {
        // Once a transfer is removed, its id may be free.
        const problem = removes
          ? problemOf(fault, TransferStore.make(), undefined)
          : problemOf(fault, inserted, source?.store)
        if (problem === undefined) continue
        const reason = `${problem.reason} at ${at}/faults/${place}/${problem.at}`
        return yield* Result.fail(new FaultRule.InvalidRule({ reason }))
      }
    }
    return rules
  })

/** The reason why a fault cannot work, and its place in the fault. */
interface Problem {
  readonly reason: string
  readonly at: string
}

/** Why a fault can never work. `inserted` has the transfers of the faults before it. */
const problemOf = (
  fault: Fault,
  inserted: TransferStore.TransferStore,
  present: TransferStore.TransferStore | undefined,
): Problem | undefined => {
  if (fault.fault === "change") return problemOfChange(fault)
  if (fault.fault !== "insert") return undefined
  for (const [index, fields] of (fault.transfers ?? []).entries()) {
    const made = NewTransfer.make(novel(TransferStore.size(inserted)), fields)
    const { id } = made
    const at = `transfers/${index}`
    if (present !== undefined && typeof id === "string" && TransferStore.get(present, id) !== undefined) {
      return { reason: `there is a transfer with the id ${JSON.stringify(id)} already`, at }
    }
    const result = TransferStore.insert(inserted, made)
    if (Result.isFailure(result)) return { reason: result.failure.reason, at }
  }
  return undefined
}

const problemOfChange = ({
  id = "some",
  fields,
}: Extract<Fault, { readonly fault: "change" }>): Problem | undefined => {
  const store = TransferStore.make()
  TransferStore.insert(store, NewTransfer.make(novel(0), { id }))
  const result = TransferStore.change(store, id, fields)
  return Result.isFailure(result) && result.failure._tag === "InvalidTransfer"
    ? { reason: result.failure.reason, at: "fields" }
    : undefined
}

/** The generated part of a transfer to check. No two have the same id. */
const novel = (number: number) => ({
  key: number,
  number,
  created_at: TransferStore.now(TransferStore.make()),
})
