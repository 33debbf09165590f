/** The parameters of the search as a request of the domain. Every refusal names the parameter it is about. */
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Result from "effect/Result"
import * as QueryString from "./QueryString.ts"

type Single = "external_id" | "limit" | "after_cursor"

/** Reads a query string. With `lenient`, unknown parameters are passed over. */
export const parse = (
  query: string,
  options: { readonly lenient: boolean },
): Result.Result<SearchRequest, ServiceError> => {
  const parameters = QueryString.parse(query)
  if (Result.isFailure(parameters)) return invalid(parameters.failure)
  const single: { [K in Single]?: string } = {}
  const created_at: Array<string> = []
  for (const { name, value } of parameters.success) {
    if (name === "created_at") created_at.push(value)
    else if (name === "external_id" || name === "limit" || name === "after_cursor") {
      if (single[name] !== undefined) return invalid(`${name} is given more than once`)
      if (value === "") return invalid(`${name} must not be empty`)
      single[name] = value
    } else if (!options.lenient) return unknown(name)
  }
  const { external_id, after_cursor, limit } = single
  if (limit !== undefined && !isLimit(limit)) {
    return invalid(`limit must be a whole number from 1 to ${maxLimit}, not ${JSON.stringify(limit.slice(0, 64))}`)
  }
  return Result.succeed({
    ...(external_id !== undefined && { external_id }),
    ...(created_at.length > 0 && { created_at }),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(after_cursor !== undefined && { after_cursor }),
  })
}

const isLimit = (text: string): boolean => /^[0-9]{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= maxLimit

const invalid = (message: string): Result.Result<never, ServiceError> =>
  Result.fail({ code: "invalid_parameter", message })

const unknown = (name: string): Result.Result<never, ServiceError> =>
  Result.fail({
    code: "unknown_parameter",
    message: `There is no parameter ${JSON.stringify(name.slice(0, 64))}. This operation has ${SearchQuery.parameters.join(", ")}.`,
  })
