/** The parameters of the search as a request of the domain. Every refusal names the parameter it is about. */
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import { searchParameters } from "@transferkit/http-api/TransfersApi"
import * as Result from "effect/Result"
import * as QueryString from "./QueryString.ts"

/** Reads a query string. With `lenient`, unknown parameters are passed over. */
export const parse = (
  query: string,
  options: { readonly lenient: boolean },
): Result.Result<SearchRequest, ServiceError> =>
  Result.gen(function* () {
    const pairs = yield* Result.mapError(QueryString.parse(query), invalid)
    const single = new Map<string, string>()
    const created_at: Array<string> = []
    for (const [name, value] of pairs) {
      if (name === "created_at") created_at.push(value)
      else if (!known.has(name)) {
        if (!options.lenient) return yield* Result.fail(unknown(name))
      } else if (single.has(name)) return yield* Result.fail(invalid(`${name} is given more than once`))
      else single.set(name, value)
    }
    const external_id = yield* notEmpty(single, "external_id")
    const after_cursor = yield* notEmpty(single, "after_cursor")
    const limit = yield* readLimit(single.get("limit"))
    return {
      ...(external_id === undefined ? {} : { external_id }),
      ...(created_at.length === 0 ? {} : { created_at }),
      ...(limit === undefined ? {} : { limit }),
      ...(after_cursor === undefined ? {} : { after_cursor }),
    }
  })

const known: ReadonlySet<string> = new Set(searchParameters)

const invalid = (message: string): ServiceError => ({ code: "invalid_parameter", message })

const unknown = (name: string): ServiceError => ({
  code: "unknown_parameter",
  message: `There is no parameter ${JSON.stringify(name.slice(0, 64))}. This operation has ${searchParameters.join(", ")}.`,
})

const notEmpty = (values: ReadonlyMap<string, string>, name: string): Result.Result<string | undefined, ServiceError> =>
  values.get(name) === "" ? Result.fail(invalid(`${name} must not be empty`)) : Result.succeed(values.get(name))

const readLimit = (text: string | undefined): Result.Result<number | undefined, ServiceError> => {
  if (text === undefined) return Result.succeed(undefined)
  const limit = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= maxLimit
    ? Result.succeed(limit)
    : Result.fail(
        invalid(`limit must be a whole number from 1 to ${maxLimit}, not ${JSON.stringify(text.slice(0, 64))}`),
      )
}
