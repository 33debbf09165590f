/** Eight deployments that fill the gaps of the contract in eight ways. */
import type { FakeOptions } from "@transferkit/fake/FakeOptions"
import type { ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"

const json = { "content-type": "application/json" }

export const dialects: ReadonlyArray<readonly [what: string, options: FakeOptions, found: Partial<ServiceBehaviour>]> =
  [
    [
      "with its own dialect",
      {},
      { order: "newest-first", lte_token: "lte", default_limit: 20, unknown_parameters: "rejected" },
    ],
    [
      "oldest first, without an operator for less than or equal",
      { order: "oldest-first", lteToken: undefined },
      { order: "oldest-first", lte_token: null },
    ],
    [
      "by id, with pages of 7 by default",
      { order: "by-id", defaultLimit: 7, lteToken: "le" },
      { default_limit: 7, lte_token: "le" },
    ],
    ["by its latest change", { order: "by-updated", lteToken: "lteq" }, { order: "by-updated", lte_token: "lteq" }],
    [
      "in no order, lenient",
      { order: "shuffled", lenient: true },
      { order: "shuffled", unknown_parameters: "ignored" },
    ],
    [
      "with short pages, capped limits and cursors for any filter",
      {
        like: {
          largest_page: 9,
          limit_above: "capped",
          cursor_scope: "any",
          responses: { limit_above: { status: 200, headers: json } },
        },
      },
      { largest_page: 9, default_limit: 9, limit_above: "capped", cursor_scope: "any" },
    ],
    [
      "with times to the millisecond, bounds to the second, plain bodies and headers of a proxy",
      {
        like: {
          time_digits: 3,
          bound_digits: 0,
          encodings: ["identity"],
          unknown_fields: ["/region"],
          headers: { ...json, server: "proxy", "x-trace": "(varies)" },
        },
      },
      { time_digits: 3, bound_digits: 0, encodings: ["identity"], unknown_fields: ["/region"] },
    ],
    [
      "with errors as problem+json and pages of 50",
      {
        like: {
          limit_above: "served",
          responses: {
            limit_above: { status: 200, headers: json },
            limit_zero: {
              status: 422,
              headers: { "content-type": "application/problem+json" },
              body: '{"title":"no"}',
            },
            created_at_text: { status: 422, headers: { "content-type": "text/plain" }, body: "not a time, (varies)" },
            no_credentials: { status: 403, headers: { "content-type": "text/html" }, body: "<p>no</p>" },
            unknown_path: { status: 410, headers: {}, body: "" },
          },
        },
      },
      { limit_above: "served" },
    ],
  ]
