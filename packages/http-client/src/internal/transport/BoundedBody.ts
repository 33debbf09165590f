/** The body of a `Response`, read up to a limit. Beyond it, the caller ends the exchange. */
import { BodyTooLarge } from "../../HttpTransport.ts"

export const readBounded = async (response: Response, maxBodyBytes: number): Promise<Uint8Array> => {
  // The length of an uncompressed body bounds it, so that it can be read in one step.
  const length = Number(response.headers.get("content-length") ?? Number.NaN)
  if (length > maxBodyBytes) throw new BodyTooLarge({ maxBodyBytes })
  if (length <= maxBodyBytes && !response.headers.has("content-encoding")) {
    return new Uint8Array(await response.arrayBuffer())
  }
  if (response.body === null) return new Uint8Array()
  const parts: Array<Uint8Array> = []
  let size = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return concatenate(parts, size)
    size += value.byteLength
    if (size > maxBodyBytes) throw new BodyTooLarge({ maxBodyBytes })
    parts.push(value)
  }
}

export const concatenate = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
