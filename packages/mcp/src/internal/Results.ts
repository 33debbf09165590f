/**
 * The results of the tools, as JSON Schema shows them to clients. A mask, a bound on the size and unknown fields of the
 * service change the data after it was typed: so these schemas describe it, and a value is not decoded by them.
 */
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Summary from "@transferkit/domain/Summary"
import { fields, knownKinds, knownStatuses, moneyFields } from "@transferkit/domain/Transfer"
import * as Validation from "@transferkit/domain/Validation"
import * as S from "effect/Schema"

const describe = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })

/** JSON that a schema describes. */
export const described = (schema: S.Top) => {
  const { schema: shape } = S.toJsonSchemaDocument(schema)
  return S.Json.check(S.makeFilter(() => true, { toJsonSchema: () => ({ ...shape }) }))
}

const Amount = describe(S.String, "Exact decimal text: never read it as a floating-point number")

const Money = S.Struct({
  amount: Amount,
  currency_code: describe(S.String, "<network>/<ticker>, or fiat/<code>"),
})

const meanings: Readonly<Record<string, string>> = {
  id: "The service's identifier",
  external_id: "The partner's own identifier; several transfers may share one",
  kind: `${knownKinds.join(", ")}, or another`,
  status: `${knownStatuses.join(", ")}, or another`,
  network_transaction_id: "The transaction on the crypto network",
  created_at: "RFC 3339",
  updated_at: "RFC 3339",
}

const words = (name: string): string => {
  const text = name.replaceAll("_", " ").replace(/ usd$/, " in US dollars")
  return meanings[name] ?? `The ${text}`
}

const isMoney = (name: string): boolean => (moneyFields as ReadonlyArray<string>).includes(name)

/** A masked value is a text. */
const fieldOf = (name: string): S.Top =>
  isMoney(name) ? describe(S.Union([Money, S.String]), words(name)) : describe(S.String, words(name))

const Transfer = describe(
  S.StructWithRest(
    S.Struct(Object.fromEntries(Object.keys(fields).map((name) => [name, S.optionalKey(fieldOf(name))]))),
    [S.Record(S.String, S.Json)],
  ),
  "A transfer under the names of the wire; unknown fields are kept",
)

const Transfers = S.Array(Transfer)

const optional = S.optionalKey

/** What `lookup_transfer` returns. */
export const Found = described(
  S.Struct({
    transfers: S.Array(
      S.Struct({
        transfer: Transfer,
        first_seen_at: optional(describe(S.String, "When the mirror first saw it")),
        vanished_at: optional(describe(S.String, "When the service was found to have it no more")),
        changes: optional(
          describe(
            S.Array(
              S.Struct({
                event: S.String,
                seen_at: S.String,
                changed: describe(S.Record(S.String, S.Json), "By field, its value before (from) and after (to)"),
              }),
            ),
            "Its history, in a mirror",
          ),
        ),
      }),
    ),
  }),
)

/** What `search_transfers` returns. */
export const Page = described(
  S.Struct({
    transfers: Transfers,
    next_cursor: optional(describe(S.String, "More transfers match: give it as cursor, with the same filters")),
  }),
)

/** What `summarise` returns. */
export const Totals = described(
  S.Struct({
    by: optional(S.Array(S.Literals(Summary.dimensions))),
    transfers: optional(describe(S.Int, "How many transfers match")),
    groups: optional(
      S.Array(
        S.StructWithRest(
          S.Struct({
            transfers: optional(S.Int),
            totals: optional(
              describe(S.Record(S.String, S.Json), "By field of amounts, the exact total of each currency"),
            ),
          }),
          [S.Record(S.String, S.Json)],
        ),
      ),
    ),
  }),
)

/** What `stuck_transfers` returns. */
export const Stuck = described(
  S.Struct({
    older_than: optional(S.String),
    since: optional(S.String),
    transfers: optional(
      S.Array(S.Struct({ age: describe(S.String, "Since its creation, such as 3d 4h"), transfer: Transfer })),
    ),
  }),
)

const Violation = S.Struct({
  code: S.Literals(Validation.codes),
  path: describe(S.String, "The JSON Pointer of the value"),
  message: S.String,
  actual: optional(S.Json),
  limit: optional(describe(S.String, "The limit that it breaks")),
  nearest: optional(describe(S.String, "The nearest valid value")),
})

/** What `validate_proposal` returns. */
export const Verdict = described(S.Struct({ valid: S.Boolean, violations: S.Array(Violation) }))

/** What `explain_finding` returns. */
export const Meaning = described(S.Struct({ code: S.String, meaning: S.String, found_by: S.Array(S.String) }))

/** What `capabilities` returns. */
export const Capabilities = described(
  S.Struct({
    supported_countries: optional(S.Array(S.Struct({ country_code: S.String, country_name: S.String }))),
    supported_currencies: optional(
      S.Array(S.Struct({ currency_code: S.String, legacy_currency_code: S.String, currency_name: S.String })),
    ),
    supported_payment_methods: optional(
      S.Array(S.Struct({ payment_method_code: S.String, payment_method_name: S.String })),
    ),
    transfer_limits: optional(
      describe(
        S.Record(S.String, S.Struct({ min_transfer: Amount, max_transfer: Amount })),
        "By fiat currency, inclusive",
      ),
    ),
  }),
)

/** What `query` returns. */
export const Rows = described(S.Struct({ rows: S.Array(S.Record(S.String, S.Json)) }))

const Booked = S.Struct({ reference: S.String, key: S.String, amount: Money, status: optional(S.String) })

/** What `reconcile` returns. */
export const Reconciled = described(
  S.Struct({
    totals: optional(
      describe(
        S.Record(S.String, S.Struct({ outcomes: S.Int, ledger_rows: S.Int, transfers: S.Int })),
        `By outcome: ${Reconciliation.outcomeTags.join(", ")}`,
      ),
    ),
    breaks: optional(
      describe(
        S.Array(
          S.Struct({
            outcome: S.Literals(Reconciliation.outcomeTags),
            ledger: S.Array(Booked),
            transfers: Transfers,
            differences: optional(S.Array(S.Record(S.String, S.Json))),
          }),
        ),
        "What does not match",
      ),
    ),
  }),
)

/** A proposal as an object or as its JSON text. Anything else has violations, and is accepted too. */
export const Proposal = described(
  S.Union([
    S.StructWithRest(
      S.Struct({
        external_id: optional(describe(S.String, "The partner's own order id")),
        country_code: describe(S.String, "Such as US"),
        payment_method: describe(S.String, "A payment_method_code, such as ach"),
        source: describe(Money, "What is paid"),
        destination_currency_code: describe(S.String, "What is received, such as ethereum/USDC"),
      }),
      [S.Record(S.String, S.Json)],
    ),
    describe(S.String, "The same as JSON text"),
  ]),
)
