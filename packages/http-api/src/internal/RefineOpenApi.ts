/** What annotations cannot say in the generated OpenAPI document. */

type Json = Readonly<Record<string, unknown>>

const requestId = {
  "x-request-id": { description: "Identifies this response: quote it to support.", schema: { type: "string" } },
}

const headersByStatus: Json = {
  "401": { "www-authenticate": { description: "Asks for Basic credentials.", schema: { type: "string" } } },
  "429": { "retry-after": { description: "Seconds to wait.", schema: { type: "string" } } },
}

/**
 * Objects are open, because the service may add fields; all errors share one body, which the generator repeats for each
 * description; timestamps have their format; responses have their headers.
 */
export const refineOpenApi = (document: Json): Json =>
  JSON.parse(JSON.stringify(document).replaceAll(/schemas\/ErrorBody_\d+/g, "schemas/ErrorBody"), (key, value) => {
    if (key === "additionalProperties") return value === false ? undefined : value
    if (key === "responses") return withHeaders(value)
    if (key === "schemas") return oneErrorBody(value)
    // The fields of a page and of its page_info.
    if (key === "properties" && "page_info" in value) return marked(value, { results: "items" })
    if (key === "properties" && "end_cursor" in value) {
      return marked(value, { end_cursor: "next_cursor_field", has_next_page: "has_next_page" })
    }
    return key === "Timestamp" ? { ...value, format: "date-time" } : value
  })

/** By which Stainless generates methods that read all pages: what a value has to do with them. */
const marked = (properties: Readonly<Record<string, object>>, purposes: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      purposes[name] === undefined
        ? property
        : { ...property, "x-stainless-pagination-property": { purpose: purposes[name] } },
    ]),
  )

const withHeaders = (responses: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...requestId, ...Object(headersByStatus[status]) } },
    ]),
  )

const oneErrorBody = ({ ErrorBody, ...schemas }: Readonly<Record<string, object>>) => ({
  ErrorBody: { ...ErrorBody, description: undefined },
  ...Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith("ErrorBody_"))),
})
