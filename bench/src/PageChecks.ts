/**
 * What a page must be, in the words of the validators that people put behind their HTTP client: decimal amounts, currency
 * codes, instants, optional fields absent or null, unknown fields kept.
 */

/** A page once it is checked, as far as all contestants agree on its shape. */
export interface Page {
  readonly results: ReadonlyArray<{
    readonly id: string
    readonly created_at: unknown
    readonly source_total?: unknown
  }>
  readonly page_info: { readonly has_next_page: boolean; readonly end_cursor?: unknown }
}

/** Turns text into a checked page, or throws. */
export type Decode = (text: string) => Page

const moneyFields = [
  "source_total",
  "source_total_usd",
  "source_subtotal",
  "source_subtotal_usd",
  "destination_total",
  "destination_total_usd",
  "service_fee",
  "service_fee_usd",
  "network_fee",
  "network_fee_usd",
] as const
const textFields = ["external_id", "network_transaction_id", "wallet_address", "payment_method"] as const

export const amount = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/
export const currency = /^[!-.0-~]+\/[!-.0-~]+$/
export const instant = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** The same object for every field of a kind, as each library wants its own. */
export const fields = <T, M>(text: T, money: M): Record<string, T | M> =>
  Object.fromEntries([
    ...textFields.map((name) => [name, text] as const),
    ...moneyFields.map((name) => [name, money] as const),
  ])

export const fail = (reason: unknown): never => {
  throw new Error("not a page", { cause: reason })
}

export const zod = async (): Promise<Decode> => {
  const z = await import("zod")
  const money = z.looseObject({
    amount: z.string().max(255).regex(amount),
    currency_code: z.string().regex(currency),
  })
  const schema = z.looseObject({
    results: z.array(
      z.looseObject({
        ...fields(z.string().nullish(), money.nullish()),
        id: z.string().min(1),
        kind: z.string(),
        status: z.string(),
        created_at: z.string().regex(instant),
        updated_at: z.string().regex(instant).nullish(),
      }),
    ),
    page_info: z.looseObject({ end_cursor: z.string().nullish(), has_next_page: z.boolean() }),
  })
  return (page) => schema.parse(JSON.parse(page))
}

export const valibot = async (): Promise<Decode> => {
  const v = await import("valibot")
  const money = v.looseObject({
    amount: v.pipe(v.string(), v.maxLength(255), v.regex(amount)),
    currency_code: v.pipe(v.string(), v.regex(currency)),
  })
  const schema = v.looseObject({
    results: v.array(
      v.looseObject({
        ...fields(v.nullish(v.string()), v.nullish(money)),
        id: v.pipe(v.string(), v.minLength(1)),
        kind: v.string(),
        status: v.string(),
        created_at: v.pipe(v.string(), v.regex(instant)),
        updated_at: v.nullish(v.pipe(v.string(), v.regex(instant))),
      }),
    ),
    page_info: v.looseObject({ end_cursor: v.nullish(v.string()), has_next_page: v.boolean() }),
  })
  return (page) => v.parse(schema, JSON.parse(page))
}

export const ajv = async (): Promise<Decode> => {
  const { Ajv } = await import("ajv")
  const nullable = (schema: object) => ({ anyOf: [{ type: "null" }, schema] })
  const string = { type: "string" }
  const money = {
    type: "object",
    required: ["amount", "currency_code"],
    properties: {
      amount: { type: "string", maxLength: 255, pattern: amount.source },
      currency_code: { type: "string", pattern: currency.source },
    },
  }
  const check = new Ajv().compile<Page>({
    type: "object",
    required: ["results", "page_info"],
    properties: {
      results: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "kind", "status", "created_at"],
          properties: {
            ...fields(nullable(string), nullable(money)),
            id: { type: "string", minLength: 1 },
            kind: string,
            status: string,
            created_at: { type: "string", pattern: instant.source },
            updated_at: nullable({ type: "string", pattern: instant.source }),
          },
        },
      },
      page_info: {
        type: "object",
        required: ["has_next_page"],
        properties: { end_cursor: nullable(string), has_next_page: { type: "boolean" } },
      },
    },
  })
  return (page) => {
    const value: unknown = JSON.parse(page)
    return check(value) ? value : fail(check.errors)
  }
}
