/** A partner who calls the fake with nothing but fetch and its own reading of the contract. */

/** The value of an Authorization header. */
export const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString("base64")}`

/** What came back, its body as text and, where it is JSON, as what `JSON.parse` makes of it. */
export interface Reply {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: string
  readonly json: ReturnType<typeof JSON.parse>
}

/** Sends a request, as the default partner unless told otherwise. */
export const call = async (
  url: string,
  options: { readonly credentials?: string; readonly method?: string; readonly body?: string } = {},
): Promise<Reply> => {
  const { credentials = "demo:demo-secret", method = "GET", body } = options
  const headers = { authorization: basic(credentials) }
  const response = await fetch(url, { method, headers, redirect: "manual", ...(body !== undefined && { body }) })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== ""
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}
