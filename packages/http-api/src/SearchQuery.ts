/**
 * The query of a transfer search (partner-api.md, 4.2), for whoever sends it and whoever receives it. A parameter is
 * one row of {@link parameters}; encoding, decoding and the OpenAPI document follow from it.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as Data from "effect/Data"
import * as Result from "effect/Result"

/** The names of the parameters, in the order in which they are sent. `created_at` alone may be repeated. */
export const names = ["external_id", "created_at", "limit", "after_cursor"] as const

/** The name of a parameter. */
export type Name = (typeof names)[number]

/** A parameter as OpenAPI describes it, and the reader of its values. */
export interface Parameter<A> {
  readonly description: string
  /** JSON Schema of the decoded value. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: A
  /** Reads the values given for it, at least one. Fails with everything that is wrong, in words. */
  readonly read: (values: ReadonlyArray<string>, dialect: QueryDialect) => Result.Result<A, ReadonlyArray<string>>
}

/** What a deployment adds to the contract. */
export interface QueryDialect {
  /** The operator of `created_at` for "less than or equal", if there is one. */
  readonly lteToken: string | undefined
}

const single = (values: ReadonlyArray<string>): Result.Result<string, ReadonlyArray<string>> => {
  const [value = ""] = values
  if (values.length > 1) return Result.fail(["is given more than once"])
  return value === "" ? Result.fail(["must not be empty"]) : Result.succeed(value)
}

const wholeLimit = (values: ReadonlyArray<string>): Result.Result<number, ReadonlyArray<string>> =>
  Result.flatMap(single(values), (text) =>
    /^[0-9]{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= maxLimit
      ? Result.succeed(Number(text))
      : Result.fail([`must be a whole number from 1 to ${maxLimit}, not ${quote(text)}`]),
  )

const bounds = (
  values: ReadonlyArray<string>,
  dialect: QueryDialect,
): Result.Result<ReadonlyArray<string>, ReadonlyArray<string>> => {
  const faults = values.flatMap((value) => {
    const bound = CreatedAt.fromParams([value], dialect)
    return Result.isSuccess(bound) ? [] : [`cannot be ${quote(bound.failure.input)}: ${bound.failure.reason}`]
  })
  return faults.length === 0 ? Result.succeed(values) : Result.fail(faults)
}

/** Every parameter of the search, by its name on the wire. */
export const parameters: { readonly [N in Name | keyof SearchRequest]: Parameter<NonNullable<SearchRequest[N]>> } = {
  external_id: {
    description: "Transfers with this identifier, which the partner gave at transfer time.",
    schema: { type: "string", minLength: 1 },
    example: "order-1042",
    read: single,
  },
  created_at: {
    description:
      "A bound on the creation time, `<operator>:<timestamp>`: the operator is `gt`, `gte` or `lt`, the timestamp is RFC 3339. If it is repeated, all bounds must hold.",
    schema: { type: "array", items: { type: "string", pattern: "^[a-z]+:.+$" } },
    example: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
    read: bounds,
  },
  limit: {
    description: "The maximum number of transfers to return.",
    schema: { type: "integer", minimum: 1, maximum: maxLimit },
    example: maxLimit,
    read: wholeLimit,
  },
  after_cursor: {
    description: "The `end_cursor` of the previous page, with the same `external_id` and `created_at`.",
    schema: {
      type: "string",
      minLength: 1,
      // By which Stainless generates methods that read all pages.
      "x-stainless-pagination-property": { purpose: "next_cursor_param" },
    },
    read: single,
  },
}

// ---------------------------------------------------------------------------------------------------- encoding

/** A value that a URL cannot carry, because UTF-8 has no form for it. */
export class UnencodableParameter extends Data.TaggedError("UnencodableParameter")<{ readonly parameter: string }> {
  override get message(): string {
    return `${this.parameter} contains a lone surrogate, which a URL cannot carry. Check where the text was cut.`
  }
}

/**
 * The query string of a request, without a question mark.
 *
 * @example
 * SearchQuery.encode({ created_at: ["gte:2024-09-01T00:00:00Z"], limit: 20 }) // => Result.succeed("created_at=gte:2024-09-01T00:00:00Z&limit=20")
 * Result.isFailure(SearchQuery.encode({ external_id: "\ud83d" })) // => true
 */
export const encode = (request: SearchRequest): Result.Result<string, UnencodableParameter> => {
  const pairs: Array<readonly [name: string, value: string]> = []
  for (const name of names) {
    const value = request[name]
    if (typeof value === "object") for (const each of value) pairs.push([name, each])
    else if (value !== undefined) pairs.push([name, String(value)])
  }
  return encodePairs(pairs)
}

/** The query string of any names and values, also of those that the contract does not have. */
export const encodePairs = (
  pairs: ReadonlyArray<readonly [name: string, value: string]>,
): Result.Result<string, UnencodableParameter> => {
  let query = ""
  for (const [name, value] of pairs) {
    if (!value.isWellFormed()) return Result.fail(new UnencodableParameter({ parameter: name }))
    query += `${query === "" ? "" : "&"}${escape(name)}=${escape(value)}`
  }
  return Result.succeed(query)
}

/** A colon may stand in a query as it is, which keeps timestamps readable in logs. */
const escape = (text: string): string => {
  const escaped = encodeURIComponent(text)
  return escaped === text ? escaped : escaped.replaceAll("%3A", ":")
}

// ---------------------------------------------------------------------------------------------------- decoding

/** How strictly to decode. */
export interface DecodeOptions extends QueryDialect {
  /** Ignores parameters that the contract does not have, instead of rejecting them. */
  readonly lenient: boolean
}

/**
 * The request of a query string, or everything that is wrong with it. A plus sign stands for a blank, as in a form.
 *
 * @example
 * SearchQuery.decode("limit=20", { lenient: false, lteToken: undefined }) // => Result.succeed({ limit: 20 })
 * Result.mapError(SearchQuery.decode("limit=21&colour=red", { lenient: false, lteToken: undefined }), (faults) => faults.length) // => Result.fail(2)
 */
export const decode = (
  query: string,
  options: DecodeOptions,
): Result.Result<SearchRequest, ReadonlyArray<ServiceError>> => {
  const given: { [N in Name]?: Array<string> } = {}
  const faults: Array<ServiceError> = []
  for (const part of query.split("&")) {
    if (part === "") continue
    const equals = part.includes("=") ? part.indexOf("=") : part.length
    const name = unescape(part.slice(0, equals))
    const value = unescape(part.slice(equals + 1))
    if (name === undefined) faults.push(invalid("The name of a parameter is not percent-encoded UTF-8"))
    else if (!isName(name)) faults.push(...(options.lenient ? [] : [unknown(name)]))
    else if (value === undefined) faults.push(invalid(`${name} is not percent-encoded UTF-8`))
    else (given[name] ??= []).push(value)
  }
  const request: Writable = {}
  for (const name of names) {
    const values = given[name]
    if (values !== undefined) faults.push(...readInto(request, name, values, options).map(invalid))
  }
  return faults.length === 0 ? Result.succeed(request) : Result.fail(faults)
}

type Writable = { -readonly [N in Name]?: NonNullable<SearchRequest[N]> }

const readInto = <N extends Name>(
  request: Pick<Writable, N>,
  name: N,
  values: ReadonlyArray<string>,
  dialect: QueryDialect,
): ReadonlyArray<string> => {
  const read = parameters[name].read(values, dialect)
  if (Result.isFailure(read)) return read.failure.map((reason) => `${name} ${reason}`)
  request[name] = read.success
  return []
}

const isName = (text: string): text is Name => Object.hasOwn(parameters, text)

const unescape = (text: string): string | undefined => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 64))

const invalid = (message: string): ServiceError => ({ code: "invalid_parameter", message })

const unknown = (name: string): ServiceError => ({
  code: "unknown_parameter",
  message: `There is no parameter ${quote(name)}. This operation has ${names.join(", ")}.`,
})
