/** What the server declares when a session begins: only what it has. Its tools never change, and nothing completes. */
import * as Predicate from "effect/Predicate"

/** A message of the server. The runtime declares more than there is; that is taken out of its response to `initialize`. */
export const honest = (message: string): string => {
  if (!message.includes('"serverInfo"')) return message
  const read: unknown = JSON.parse(message)
  const { result } = Object(read)
  if (!Predicate.isReadonlyObject(result) || !("serverInfo" in result)) return message
  const { completions: _, ...capabilities } = Object(result["capabilities"])
  return JSON.stringify({ ...Object(read), result: { ...result, capabilities: { ...capabilities, tools: {} } } })
}

/** The same for text that holds messages, one a line, which `data: ` may introduce. */
export const honestLines = (text: string): string =>
  text.replaceAll(
    /^(data: )?(\{.*\})$/gm,
    (_line, prefix: string | undefined, message: string) => `${prefix ?? ""}${honest(message)}`,
  )
