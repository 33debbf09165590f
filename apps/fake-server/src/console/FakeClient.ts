/** Calls of the operations under /_fake. */

/** The fake rejected a call, with its reason. */
export class Rejected extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

const tokenKey = "token"

/** Sends the admin token from now on, until the tab is closed. */
export const setToken = (token: string): void => sessionStorage.setItem(tokenKey, token)

const headers = (): Record<string, string> => ({
  "x-fake-token": sessionStorage.getItem(tokenKey) ?? "",
  "content-type": "application/json",
})

/** Calls one operation. A body that is text is sent as it is. Throws {@link Rejected}. */
export const call = async <A = void>(path: string, method = "GET", body?: unknown): Promise<A> => {
  const response = await fetch(`/_fake/${path}`, {
    method,
    headers: headers(),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Rejected(response.status, reasonIn(text))
  return JSON.parse(text === "" ? "null" : text)
}

const reasonIn = (text: string): string => {
  try {
    const { errors }: { errors: ReadonlyArray<{ readonly message: string }> } = JSON.parse(text)
    return errors.map(({ message }) => message).join(" ")
  } catch {
    return text
  }
}

/** The events of the fake, until the connection ends. `EventSource` could not send the token. */
export async function* events<A>(signal: AbortSignal): AsyncGenerator<A> {
  const response = await fetch("/_fake/events", { headers: headers(), signal })
  if (!response.ok || response.body === null) throw new Rejected(response.status, await response.text())
  let rest = ""
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const complete = (rest + text).split("\n\n")
    rest = complete.pop() ?? ""
    for (const event of complete) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

/** The reason of whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
