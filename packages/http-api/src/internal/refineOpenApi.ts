/** What the generated OpenAPI document gets wrong or leaves out about this contract. */

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** What is said of each parameter of the search, and how it really looks. */
const parameters: Readonly<Record<string, Json>> = {
  external_id: {
    description: "Transfers with this identifier, which the partner gave at transfer time.",
    schema: { type: "string", minLength: 1 },
    example: "order-1042",
  },
  created_at: {
    description:
      "A bound on the creation time, `<operator>:<timestamp>`: the operator `gt`, `gte` or `lt`, the timestamp RFC 3339. Repeated, all bounds must hold.",
    schema: { type: "array", items: { type: "string", pattern: "^[a-z]+:.+$" } },
    style: "form",
    explode: true,
    example: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
  },
  limit: {
    description: "The most transfers to return.",
    schema: { type: "integer", minimum: 1, maximum: 20 },
    example: 20,
  },
  after_cursor: {
    description: "The `end_cursor` of the page before, with the same `external_id` and `created_at`.",
    schema: { type: "string", minLength: 1 },
  },
}

const requestId = {
  "x-request-id": { description: "Names this answer: quote it to support.", schema: { type: "string" } },
}

const headersByStatus: Readonly<Record<string, Json>> = {
  "401": { "www-authenticate": { description: "Asks for Basic credentials.", schema: { type: "string" } } },
  "429": { "retry-after": { description: "Seconds to wait.", schema: { type: "string" } } },
}

/**
 * Objects are open, because the service may add fields; parameters have their real types; every kind of error has the
 * one body; and answers have their headers.
 */
export const refineOpenApi = (document: Json): Json => {
  const text = JSON.stringify(document, (key, value) =>
    key === "additionalProperties" && value === false ? undefined : value,
  )
  const refined = JSON.parse(text.replaceAll(/schemas\/ErrorBody_\d+/g, "schemas/ErrorBody"))
  const { schemas } = refined.components
  for (const name of Object.keys(schemas)) if (/^ErrorBody_\d+$/.test(name)) delete schemas[name]
  delete schemas.ErrorBody.description
  schemas.Timestamp.format = "date-time"
  for (const path of Object.values<Json>(refined.paths)) {
    const operation = path["get"]
    if (!isObject(operation)) continue
    operation["parameters"] = list(operation["parameters"]).map((parameter) => ({
      ...parameter,
      ...parameters[String(parameter["name"])],
    }))
    for (const [status, response] of Object.entries(isObject(operation["responses"]) ? operation["responses"] : {})) {
      if (isObject(response)) response["headers"] = { ...requestId, ...headersByStatus[status] }
    }
  }
  return refined
}

const list = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])
