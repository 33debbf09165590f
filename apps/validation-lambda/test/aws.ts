/** AWS over real HTTP: checks the signature, and returns scripted outputs. */
import { createHash, createHmac } from "node:crypto"
import { startService } from "./service.ts"

/** The credentials of the function's role. */
export const credentials = {
  AWS_REGION: "eu-west-1",
  AWS_ACCESS_KEY_ID: "ASIAEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "role-secret",
  AWS_SESSION_TOKEN: "role-token",
}

/** A response as it is, for what is not JSON. */
export class Raw {
  readonly status: number
  readonly text: string
  constructor(status: number, text: string) {
    this.status = status
    this.text = text
  }
}

/**
 * Each target returns an output, or the name of an error. A form's target is its action, and any other request's its
 * method and path, with the body as `text`.
 */
export const startAws = (outputs: {
  readonly [target: string]: (input: { readonly [field: string]: unknown }) => object | string
}) =>
  startService((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (part: string) => (body += part))
    request.on("end", () => {
      const { authorization = "", host = "" } = request.headers
      const signed = /SignedHeaders=([^,]+), Signature=(.+)$/.exec(authorization)
      const names = (signed?.[1] ?? "").split(";")
      const canonical = [
        request.method,
        request.url,
        "",
        ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
        "",
        names.join(";"),
        sha256(body),
      ].join("\n")
      const service = /Credential=[^/]+\/\d+\/eu-west-1\/(\w+)\//.exec(authorization)?.[1] ?? ""
      const form = String(request.headers["content-type"]).includes("form") ? new URLSearchParams(body) : undefined
      const target =
        request.headers["x-amz-target"]?.toString() ?? form?.get("Action") ?? `${request.method} ${request.url}`
      const isJson = request.headers["x-amz-target"] !== undefined
      const input = isJson ? JSON.parse(body) : form === undefined ? { text: body } : Object.fromEntries(form)
      const expected = signature(String(request.headers["x-amz-date"]), service, canonical)
      const isGenuine =
        signed?.[2] === expected && host !== "" && request.headers["x-amz-security-token"] === "role-token"
      const output = isGenuine ? (outputs[target]?.(input) ?? "UnknownOperationException") : "InvalidSignatureException"
      if (output instanceof Raw) return void response.writeHead(output.status).end(output.text)
      const isError = typeof output === "string"
      response.writeHead(isError ? 400 : 200, { "content-type": "application/x-amz-json-1.1" })
      response.end(JSON.stringify(isError ? { __type: `com.amazonaws#${output}` } : output))
    })
  })

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()

/** Signature version 4, by its own documentation. */
const signature = (date: string, service: string, canonical: string): string => {
  const day = date.slice(0, 8)
  const scope = `${day}/eu-west-1/${service}/aws4_request`
  const key = hmac(hmac(hmac(hmac("AWS4role-secret", day), "eu-west-1"), service), "aws4_request")
  return hmac(key, ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")).toString("hex")
}
