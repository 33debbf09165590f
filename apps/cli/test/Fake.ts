/** Changes what a running fake holds and how it behaves, by its own operations. */

const call = async (url: string, method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${url}/_fake/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? undefined : response.json()
}

/** Inserts a transfer; what it lacks is made up. */
export const insert = (url: string, transfer: Readonly<Record<string, unknown>>) =>
  call(url, "POST", "transfers", [transfer])

/** Changes fields of a transfer. */
export const change = (url: string, id: string, fields: Readonly<Record<string, unknown>>) =>
  call(url, "PATCH", `transfers/${id}`, fields)

/** Removes a transfer. */
export const remove = (url: string, id: string) => call(url, "DELETE", `transfers/${id}`)

/** Makes things go wrong. */
export const addFaults = (url: string, ...faults: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  call(url, "POST", "faults", { faults })

/** Makes them go right again. */
export const clearFaults = (url: string) => call(url, "DELETE", "faults")

/** The requests it has had so far. */
export const journal = async (url: string): Promise<ReadonlyArray<unknown>> => {
  const response = await fetch(`${url}/_fake/requests`)
  return Reflect.get(Object(await response.json()), "requests")
}

/** Makes things go wrong for some requests only. */
export const addRule = (url: string, rule: Readonly<Record<string, unknown>>) => call(url, "POST", "faults", rule)
