/** Fault rules: faults, and the requests that they apply to. They are the same in a file, over HTTP and in a program. */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { Fault } from "./Fault.ts"

/** Of requests. */
const Count = S.Int.check(S.isBetween({ minimum: 1, maximum: 1_000_000 }))

/**
 * The requests that a rule applies to: all conditions must hold. `request` counts those that meet the others, from 1:
 * one number, several, every n-th, or from the n-th on.
 *
 * @example
 * const when = { partner: "demo", path: "/v1/transfers/search", request: { every: 3 } }
 * Result.isSuccess(FaultRule.parse({ when, faults: [{ fault: "empty_page" }] })) // => true
 */
export const When = S.Struct({
  partner: S.optionalKey(S.String),
  path: S.optionalKey(
    S.String.check(
      S.isPattern(/^\/(?!_fake\/)[^?]*$/, { expected: "a path of the service, which starts with / and has no query" }),
    ),
  ),
  cursor: S.optionalKey(S.Union([S.Boolean, S.String])),
  request: S.optionalKey(
    S.Union([Count, S.NonEmptyArray(Count), S.Struct({ every: Count }), S.Struct({ from: Count })]),
  ),
  probability: S.optionalKey(S.Finite.check(S.isBetween({ minimum: 0, maximum: 1 }))),
})

/**
 * Faults, and the requests that they apply to; without `when`, all below `/v1`.
 *
 * @example
 * const rule = { when: { cursor: true }, times: 1, faults: [{ fault: "expired_cursor" }] }
 * await using fake = await startFakeServer({ faults: [rule] })
 * (await fetch(`${fake.url}/v1/transfers/search?after_cursor=a`, { headers })).status // => 400
 */
export const Rule = S.Struct({
  when: S.optionalKey(When),
  /** The rule ends after this many requests. */
  times: S.optionalKey(Count),
  faults: S.NonEmptyArray(Fault).check(S.isMaxLength(100)),
}).annotate({ identifier: "FaultRule" })

/** Faults, and the requests that they apply to. */
export type Rule = typeof Rule.Type

/**
 * A fault rule that cannot do what it says. `reason` says why, and where in the rules.
 *
 * @example
 * const faults = [{ faults: [{ fault: "redirect" }] }]
 * (await startFakeServer({ faults }).catch((error) => error)).reason // => "missing key at /0/faults/0/location"
 */
export class InvalidRule extends Data.TaggedError("InvalidRule")<{ readonly reason: string }> {
  override get message(): string {
    return `Not a fault rule: ${this.reason}.`
  }
}

/** The names of all faults. */
const names: ReadonlyArray<string> = Fault.members.map(({ fields }) => fields.fault.literal)

const decodeRule = S.decodeUnknownResult(Rule, { onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * No rule nests deeper, in its values.
 *
 * @example
 * FaultRule.maxDepth // => 64
 */
export const maxDepth = 64

/**
 * Reads one rule, a list of them, or `{"rules":[…]}`, which may name its `$schema`. Fails with the error and its
 * place.
 *
 * @example
 * Result.isSuccess(FaultRule.parse({ faults: [{ fault: "no_reply" }] })) // => true
 * Result.merge(FaultRule.parse({ rules: [{ faults: [] }] })) // => "expected at least one fault at /rules/0/faults"
 */
export const parse = (value: unknown): Result.Result<ReadonlyArray<Rule>, string> => {
  const deep = JsonDepth.findDeeper(value, maxDepth)
  if (deep !== undefined) return Result.fail(`expected at most ${maxDepth} levels of nesting at ${deep.slice(0, 100)}`)
  if (Array.isArray(value)) return parseAll(value, "")
  if (!Predicate.isReadonlyObject(value) || !("rules" in value))
    return Result.map(parseOne(value, ""), (rule) => [rule])
  const unknown = Object.keys(value).find((name) => name !== "rules" && name !== "$schema")
  if (unknown !== undefined) return Result.fail(`unknown key at /${unknown}: only rules and $schema are allowed here`)
  return Array.isArray(value["rules"])
    ? parseAll(value["rules"], "/rules")
    : Result.fail("expected an array of rules at /rules")
}

/**
 * The most rules at once: each request is compared with every rule, and each rule is checked against every other.
 *
 * @example
 * const rules = Array.from({ length: FaultRule.maxRules + 1 }, () => ({ faults: [{ fault: "bom" }] }))
 * Result.merge(FaultRule.parse(rules)) // => "expected at most 1000 rules, not 1001, at /"
 */
export const maxRules = 1000

/**
 * The most faults of all rules at once: they may all apply to one request, and each is work for its response.
 *
 * @example
 * const rules = Array.from({ length: FaultRule.maxRules }, () => ({ faults: Array.from({ length: 3 }, () => ({ fault: "bom" })) }))
 * Result.merge(FaultRule.parse(rules)) // => "expected at most 2000 faults of all rules, not 3000, at /"
 */
export const maxFaults = 2000

const parseAll = (values: ReadonlyArray<unknown>, place: string): Result.Result<ReadonlyArray<Rule>, string> => {
  const tooMany = (most: number, what: string, given: number) =>
    Result.fail(`expected at most ${most} ${what}, not ${given}, at ${place || "/"}`)
  if (values.length > maxRules) return tooMany(maxRules, "rules", values.length)
  const faults = values.reduce<number>((sum, value) => sum + faultsOf(value).length, 0)
  return faults > maxFaults
    ? tooMany(maxFaults, "faults of all rules", faults)
    : Result.all(values.map((value, index) => parseOne(value, `${place}/${index}`)))
}

const faultsOf = (value: unknown): ReadonlyArray<unknown> =>
  Predicate.isReadonlyObject(value) && Array.isArray(value["faults"]) ? value["faults"] : []

/**
 * The JSON Pointer of the rule at an index, in a value that {@link parse} reads.
 *
 * @example
 * FaultRule.placeOf({ rules: [{ faults: [] }] }, 0) // => "/rules/0"
 */
export const placeOf = (value: unknown, index: number): string =>
  Array.isArray(value) ? `/${index}` : Predicate.isReadonlyObject(value) && "rules" in value ? `/rules/${index}` : ""

const parseOne = (value: unknown, place: string): Result.Result<Rule, string> => {
  const faults: unknown = Predicate.isReadonlyObject(value) ? value["faults"] : undefined
  if (Array.isArray(faults)) {
    if (faults.length === 0) return Result.fail(`expected at least one fault at ${place}/faults`)
    const strange = faults.findIndex((each) => !Predicate.isReadonlyObject(each) || !isName(each["fault"]))
    if (strange !== -1) {
      return Result.fail(`expected fault to be one of ${names.join(", ")} at ${place}/faults/${strange}`)
    }
  }
  return Result.mapError(decodeRule(value), (error) =>
    issuesOf(error.issue)
      .issues.slice(0, 3)
      .map(({ message, path = [] }) => {
        const keys = path.map(String)
        return `${plain(message, value, keys)} at ${[place, ...keys].join("/") || "/"}`
      })
      .join("; "),
  )
}

const isName = (value: unknown): boolean => typeof value === "string" && names.includes(value)

const plain = (message: string, rule: unknown, path: ReadonlyArray<string>): string => {
  if (message.startsWith("Missing key")) return "missing key"
  if (message.startsWith("Expected no excess property")) {
    const known = keysBeside(rule, path)
    return known.length === 0 ? "unknown key" : `unknown key, not one of ${known.join(", ")},`
  }
  const given = JSON.stringify(valueAt(rule, path)) ?? "nothing"
  return `${message.replace(/^Expected/, "expected")}, not ${given.slice(0, 64)},`
}

/** The known keys beside an unknown one, if they are fixed. */
const keysBeside = (rule: unknown, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (path.length === 1) return Object.keys(Rule.fields)
  if (path.length === 2 && path[0] === "when") return Object.keys(When.fields)
  if (path.length !== 3) return []
  const name = valueAt(rule, [...path.slice(0, 2), "fault"])
  return Object.keys(Fault.members.find(({ fields }) => fields.fault.literal === name)?.fields ?? {})
}

const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  )
