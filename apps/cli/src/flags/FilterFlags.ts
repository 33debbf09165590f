/** The flags that select transfers. */
import * as Flag from "effect/cli/Flag"
import { optional } from "./GlobalFlags.ts"

const repeated = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.atLeast(0), Flag.withMetavar(metavar), Flag.withDescription(description))

const one = (name: string, metavar: string, description: string) =>
  optional(Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description)))

/** Filters by creation time. */
export const timeFlags = {
  since: one("since", "TIME", "Created at or after this time: an instant, 2024-09-01, 2024-09, 24h, yesterday"),
  until: one("until", "TIME", "Created before this time; a day, month or year is included"),
  created_at: repeated(
    "created-at",
    "OP:INSTANT",
    "The service's own filter, such as gte:2024-09-01T00:00:00Z; repeatable",
  ),
}

/** All filters. Those after `--created-at` are applied here, because the service lacks them. */
export const filterFlags = {
  external_id: one("external-id", "ID", "With this external_id"),
  ...timeFlags,
  status: repeated("status", "STATUS", "With this status; repeatable"),
  kind: repeated("kind", "KIND", "Of this kind; repeatable"),
  currency: repeated("currency", "CODE", "With an amount in this currency, such as fiat/USD; repeatable"),
  payment_method: repeated("payment-method", "CODE", "With this payment method; repeatable"),
}
