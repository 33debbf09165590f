/** The body of a `Response`, read up to a limit. Beyond it, the caller ends the exchange. */
import * as ByteParts from "@transferkit/domain/ByteParts"
import { BodyTooLarge } from "../../HttpTransport.ts"

export const readBounded = async (response: Response, maxBodyBytes: number): Promise<Uint8Array> => {
  // The length of an uncompressed body bounds it, so that it can be read in one step: of a short one, because each byte
  // may arrive alone, and takes some hundred bytes then.
  const length = Number(response.headers.get("content-length") ?? Number.NaN)
  if (length > maxBodyBytes) throw new BodyTooLarge({ maxBodyBytes })
  // To another origin, a browser hides whether the body is compressed.
  if (length <= 2 ** 18 && response.type !== "cors" && !response.headers.has("content-encoding")) {
    return new Uint8Array(await response.arrayBuffer())
  }
  if (response.body === null) return new Uint8Array()
  const parts = ByteParts.make(maxBodyBytes)
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts.whole()
    if (!parts.add(value)) throw new BodyTooLarge({ maxBodyBytes })
  }
}
