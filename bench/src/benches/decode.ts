import { Buffer } from "node:buffer"
import type { Bench, Contestant } from "../Bench.ts"
import * as Fixture from "../Fixture.ts"
import { nanoseconds } from "../Microbench.ts"

/** A page once it is checked, as far as all contestants agree on its shape. */
interface Page {
  readonly results: ReadonlyArray<{
    readonly id: string
    readonly created_at: unknown
    readonly source_total?: unknown
  }>
  readonly page_info: { readonly has_next_page: boolean }
}

/** Turns text into a checked page, or throws. */
type Decode = (text: string) => Page

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

const amount = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/
const currency = /^[!-.0-~]+\/[!-.0-~]+$/
const instant = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** The same object for every field of a kind, as each library wants its own. */
const fields = <T, M>(text: T, money: M): Record<string, T | M> =>
  Object.fromEntries([
    ...textFields.map((name) => [name, text] as const),
    ...moneyFields.map((name) => [name, money] as const),
  ])

const text = Fixture.pageText()

/** Pages with one thing wrong. Every contestant that checks must refuse all of them. */
const spoiled = [
  text.replace(/"amount":"([^"]+)"/, '"amount":$1'),
  text.replace(/"amount":"[^"]+"/, '"amount":"1e3"'),
  text.replace(/"id":"[^"]+",/, ""),
  text.replace('"has_next_page":true', '"has_next_page":"true"'),
  text.replace(/"created_at":"[^"]+"/, '"created_at":"yesterday"'),
  text.replace("fiat/EUR", "EUR"),
]

const refuses = (decode: Decode, page: string): boolean => {
  try {
    decode(page)
    return false
  } catch {
    return true
  }
}

/** zod and valibot give known fields first; the order of fields is not part of the answer. */
const canonical = (page: unknown): string =>
  JSON.stringify(page, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const contestant = (
  name: string,
  packages: ReadonlyArray<string>,
  load: () => Promise<Decode>,
  kind: "ours" | "peer" | "floor" = "peer",
): Contestant => ({
  name,
  packages,
  isOurs: kind === "ours",
  load: async () => {
    const decode = await load()
    return {
      answer: () => {
        const checked = spoiled.filter((page) => refuses(decode, page)).length
        if (kind !== "floor" && checked !== spoiled.length) throw new Error(`${name} refuses only ${checked}`)
        return canonical(JSON.parse(JSON.stringify(decode(text))))
      },
      measure: async () => ({ page: (await nanoseconds(() => decode(text))) / 1000 }),
    }
  },
})

const fail = (reason: unknown): never => {
  throw new Error("not a page", { cause: reason })
}

export const bench: Bench = {
  name: "decode",
  title: "Decode a page of 20 transfers",
  work:
    `JSON text of ${Math.round(Buffer.byteLength(text) / 1000)} kB → checked values: decimal amounts, currency codes, RFC 3339 instants, ` +
    "optional fields absent or null, unknown fields kept. The answer is the page encoded again and " +
    `the refusal of ${spoiled.length} pages with one thing wrong (bare JSON.parse refuses none of them).`,
  rounds: 5,
  metrics: [{ key: "page", title: "A page", unit: "µs" }],
  notes: [
    "`JSON.parse` is the floor: nobody who reads JSON text is below it, and it checks nothing. It is four fifths of our time; the rest is one pass that copies the fields and matches three patterns, and builds nothing until it is asked for.",
    "The peers check an instant by pattern alone; ours also refuses 31 April. Ours gives Money and Timestamp objects, the peers give the parsed strings.",
  ],
  contestants: [
    contestant(
      "TransferKit",
      ["@transferkit/domain", "effect"],
      async () => {
        const TransferPage = await import("@transferkit/domain/TransferPage")
        const Result = await import("effect/Result")
        return (page) => Result.getOrThrow(TransferPage.fromJson(page))
      },
      "ours",
    ),
    contestant("JSON.parse, unchecked", [], async () => (page) => JSON.parse(page), "floor"),
    contestant("zod", ["zod"], async () => {
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
    }),
    contestant("valibot", ["valibot"], async () => {
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
    }),
    contestant("ajv", ["ajv"], async () => {
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
    }),
    contestant("typebox", ["typebox"], async () => {
      const { Type } = await import("typebox")
      const { Compile } = await import("typebox/compile")
      const money = Type.Object({
        amount: Type.String({ maxLength: 255, pattern: amount.source }),
        currency_code: Type.String({ pattern: currency.source }),
      })
      const nullish = (schema: ReturnType<typeof Type.String> | typeof money) =>
        Type.Optional(Type.Union([schema, Type.Null()]))
      const schema = Type.Object({
        results: Type.Array(
          Type.Object({
            ...fields(nullish(Type.String()), nullish(money)),
            id: Type.String({ minLength: 1 }),
            kind: Type.String(),
            status: Type.String(),
            created_at: Type.String({ pattern: instant.source }),
            updated_at: nullish(Type.String({ pattern: instant.source })),
          }),
        ),
        page_info: Type.Object({ end_cursor: nullish(Type.String()), has_next_page: Type.Boolean() }),
      })
      const compiled = Compile(schema)
      return (page) => {
        const value: unknown = JSON.parse(page)
        return compiled.Check(value) ? value : fail("typebox")
      }
    }),
    contestant("arktype", ["arktype"], async () => {
      const { type } = await import("arktype")
      const nullish = (schema: ReturnType<typeof type.raw>) => schema.or("null")
      const money = type.raw({ amount: type.raw(amount).and("string <= 255"), currency_code: currency })
      const optional = Object.fromEntries(
        Object.entries(fields(nullish(type.raw("string")), nullish(money))).map(([name, schema]) => [
          `${name}?`,
          schema,
        ]),
      )
      const schema = type.raw({
        results: type
          .raw({
            ...optional,
            id: "string > 0",
            kind: "string",
            status: "string",
            created_at: instant,
            "updated_at?": nullish(type.raw(instant)),
          })
          .array(),
        page_info: { "end_cursor?": "string | null", has_next_page: "boolean" },
      })
      return (page) => schema.assert(JSON.parse(page)) as Page
    }),
  ],
}
