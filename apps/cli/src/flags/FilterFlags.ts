/** The flags that select transfers. */
import type * as Flag from "effect/cli/Flag"
import { text, texts } from "./Flags.ts"

/** All filters. `--stuck` and those after `--created-at` are applied here, because the service lacks them. */
export const filterFlags = {
  external_id: text("external-id", "ID", "With this external_id"),
  since: text("since", "TIME", "Created at or after this time: an instant, 2024-09-01, 2024-09, 24h, yesterday"),
  until: text(
    "until",
    "TIME",
    "Created before this time, written as for --since: 2024-09-30, 2024-09 (a day, month or year is included), 24h, today",
  ),
  time_zone: text(
    "time-zone",
    "ZONE",
    "The time zone of days and months, and of times in tables, such as Europe/Berlin (default UTC)",
  ),
  stuck: text("stuck", "AGE", "Created at least this long ago, such as 24h, and not yet complete or declined"),
  created_at: texts(
    "created-at",
    "OP:INSTANT",
    "The service's own filter, such as gte:2024-09-01T00:00:00Z; repeatable",
  ),
  status: texts("status", "STATUS", "With this status; repeatable"),
  kind: texts("kind", "KIND", "Of this kind; repeatable"),
  currency: texts("currency", "CODE", "With an amount in this currency, such as fiat/USD; repeatable"),
  payment_method: texts("payment-method", "CODE", "With this payment method; repeatable"),
}

/** The values of {@link filterFlags}. */
export type FilterFlags = {
  readonly [Name in keyof typeof filterFlags]: (typeof filterFlags)[Name] extends Flag.Flag<infer A> ? A : never
}
