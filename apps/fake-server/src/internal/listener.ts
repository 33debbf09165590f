/** From node's requests and responses to those of the service and back. */
import type * as http from "node:http"
import * as Admin from "../Admin.ts"
import * as Contract from "../Contract.ts"
import { type Answer, refusal } from "../Exchange.ts"
import type { FakeService } from "../FakeService.ts"
import { send } from "./send.ts"

/** The longest body that is read, in bytes: enough to insert ten thousand transfers at once. */
const longestBody = 16 * 1024 * 1024

/** Answers the contract's requests at once, and those for the fake itself when their body has come. */
export const listener =
  (service: FakeService, options: { readonly adminToken: string | undefined }): http.RequestListener =>
  (incoming, outgoing) => {
    const { method = "GET", url: target = "/", headers } = incoming
    if (!target.startsWith(Admin.prefix)) {
      incoming.resume()
      send(outgoing, Contract.answer(service, { method, target, headers }), headers)
      return
    }
    readBody(incoming, (body) => {
      const answer =
        body === undefined ? tooLarge : Admin.answer(service, { method, target, headers, body }, options.adminToken)
      send(outgoing, answer, headers)
    })
  }

const tooLarge: Answer = refusal(
  413,
  [{ code: "too_large", message: `The body is longer than ${longestBody} bytes.` }],
  { connection: "close" },
)

/** The body as text, or nothing where it is too long. */
const readBody = (incoming: http.IncomingMessage, done: (body: string | undefined) => void): void => {
  const chunks: Array<Buffer> = []
  let length = 0
  incoming.on("data", (chunk: Buffer) => {
    length += chunk.byteLength
    if (length <= longestBody) chunks.push(chunk)
    else if (chunks.length > 0) {
      chunks.length = 0
      done(undefined)
    }
  })
  incoming.on("end", () => {
    if (length <= longestBody) done(Buffer.concat(chunks).toString("utf8"))
  })
}
