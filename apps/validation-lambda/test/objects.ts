/** S3 over real HTTP, in memory: the objects of a bucket, with the versions that `If-Match` asks for. */
import { createHash } from "node:crypto"
import type { ServerResponse } from "node:http"
import { credentials } from "./aws.ts"
import { startService } from "./service.ts"

/** Sends an object in place of a whole one, such as one that breaks off. */
export type Send = (response: ServerResponse) => void

/** Starts one with objects by `bucket/key`. What is written is kept beside them. */
export const startObjects = async (given: Readonly<Record<string, string | Send>>) => {
  const objects = new Map<string, string | Send>(Object.entries(given))
  const state = { isDown: false }
  const service = await startService((request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1))
    const isSigned = /^AWS4-HMAC-SHA256 .*\/s3\/aws4_request/.test(String(request.headers.authorization))
    if (!isSigned) return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>")
    if (state.isDown) return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>")
    if (request.method === "PUT") {
      let text = ""
      request.setEncoding("utf8").on("data", (part: string) => (text += part))
      request.on("end", () => {
        objects.set(name, text)
        response.writeHead(200).end()
      })
      return
    }
    const object = objects.get(name)
    if (object === undefined) return void response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>")
    if (typeof object !== "string") return object(response.setHeader("etag", '"streamed"'))
    const etag = `"${createHash("md5").update(object).digest("hex")}"`
    const expected = request.headers["if-match"]
    if (expected !== undefined && expected !== etag) return void response.writeHead(412).end()
    response.writeHead(200, { etag, "content-length": Buffer.byteLength(object) }).end(object)
  })
  /** The objects beside a file, by the end of their names. */
  const beside = (file: string) => {
    const folder = `${file}.verdicts/`
    return Object.fromEntries(
      [...objects].flatMap(([name, text]) =>
        name.startsWith(folder) ? [[name.slice(folder.length).replace(/^[^/]+\//, ""), String(text)] as const] : [],
      ),
    )
  }
  return { ...service, objects, beside, state, environment: { ...credentials, AWS_ENDPOINT_URL_S3: service.url } }
}
