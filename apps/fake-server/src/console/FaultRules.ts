/** Fault rules in words: those that a switch sets, and any other. */
import type { Fault } from "@transferkit/fake/Fault"
import type { Rule } from "@transferkit/fake/FaultRule"
import * as Time from "./Time.ts"

/** A rule in force, with the number of requests that it has seen and changed. */
export interface ActiveRule {
  readonly id: string
  readonly rule: Rule
  readonly seen: number
  readonly applied: number
}

/** A fault that a switch sets. */
export interface Preset {
  readonly label: string
  readonly faults: Rule["faults"]
}

/** The switches, in groups. */
export const presets: ReadonlyArray<{ readonly title: string; readonly presets: ReadonlyArray<Preset> }> = [
  {
    title: "Status",
    presets: [
      { label: "503 Service Unavailable", faults: [{ fault: "status", status: 503 }] },
      { label: "429 with Retry-After: 2", faults: [{ fault: "rate_limited", retry_after: "2" }] },
      { label: "Expired cursor", faults: [{ fault: "expired_cursor" }] },
    ],
  },
  {
    title: "Connection",
    presets: [
      { label: "Response 2 s late", faults: [{ fault: "latency", ms: 2000 }] },
      { label: "No response", faults: [{ fault: "no_reply" }] },
      { label: "Reset within the body", faults: [{ fault: "reset", at: "body" }] },
      { label: "Body truncated to half", faults: [{ fault: "truncate" }] },
    ],
  },
  {
    title: "Body",
    presets: [
      { label: "Malformed JSON", faults: [{ fault: "malformed" }] },
      { label: "Corrupt gzip", faults: [{ fault: "bad_gzip" }] },
      {
        label: "Amounts as numbers",
        faults: [{ fault: "drift", pointer: "/results/*/source_total/amount", value: 12.5 }],
      },
      { label: "Unknown status", faults: [{ fault: "drift", pointer: "/results/*/status", value: "under_review" }] },
    ],
  },
  {
    title: "Pages",
    presets: [
      { label: "Repeated cursor", faults: [{ fault: "repeated_cursor" }] },
      { label: "Duplicate rows", faults: [{ fault: "duplicate_rows" }] },
      { label: "Insertion after each page", faults: [{ fault: "insert" }] },
    ],
  },
]

/** The requests that a switch concerns. */
export const scopes: ReadonlyArray<{ readonly label: string; readonly conditions: Omit<Rule, "faults"> }> = [
  { label: "every request", conditions: {} },
  { label: "only the next request", conditions: { times: 1 } },
  { label: "every third request", conditions: { when: { request: { every: 3 } } } },
  { label: "one request in ten, at random", conditions: { when: { probability: 0.1 } } },
  { label: "later pages only", conditions: { when: { cursor: true } } },
]

/** Whether a rule has exactly these faults, whenever it applies. */
export const hasFaults = ({ rule }: ActiveRule, faults: Rule["faults"]): boolean =>
  JSON.stringify(rule.faults) === JSON.stringify(faults)

/** The faults of a rule. */
export const titleOf = (rule: Rule): string => {
  const known = presets.flatMap((group) => group.presets).find((preset) => hasFaults(active(rule), preset.faults))
  return (
    known?.label ??
    rule.faults
      .map(faultText)
      .join(" + ")
      .replace(/^./, (letter) => letter.toUpperCase())
  )
}

const active = (rule: Rule): ActiveRule => ({ id: "", rule, seen: 0, applied: 0 })

const faultText = ({ fault, ...fields }: Fault): string => {
  const list = Object.entries(fields).map(([name, value]) =>
    typeof value === "number" && /(?:^|_)ms$/.test(name)
      ? `${name.slice(0, -2).replace("_", " ")}${Time.duration(value)}`
      : name === "bytes"
        ? `${value} bytes`
        : `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  )
  return [fault.replaceAll("_", " "), ...list].join(", ")
}

/** The requests that a rule applies to. */
export const conditionsOf = ({ when = {}, times }: Rule): string => {
  const { partner, path, cursor, request, probability } = when
  const parts = [
    request === undefined ? undefined : requestText(request),
    probability === undefined ? undefined : `${Number((probability * 100).toPrecision(3))}% of requests`,
    cursor === undefined
      ? undefined
      : cursor === true
        ? "later pages"
        : cursor === false
          ? "first pages"
          : "one cursor",
    path,
    partner === undefined ? undefined : `partner ${partner}`,
    times === undefined ? undefined : times === 1 ? "once" : `${times} times`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? "every request" : parts.join(", ")
}

const requestText = (request: NonNullable<NonNullable<Rule["when"]>["request"]>): string => {
  if (typeof request === "number") return `request ${request}`
  if ("includes" in request) return `requests ${request.join(", ")}`
  return "every" in request ? `every ${request.every}${ordinal(request.every)} request` : `from request ${request.from}`
}

const ordinal = (n: number): string => {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(n)
  return { zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" }[rule]
}
