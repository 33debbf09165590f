/**
 * Calls the Function URL with the credentials of the environment, signed by AWS Signature Version 4. caller-policy.json
 * is the policy that they need.
 *
 *     node caller.ts URL FILE
 */
import { readFileSync } from "node:fs"
import aws4 from "aws4"

const [address = "", file = ""] = process.argv.slice(2)
const url = new URL(address)
const body = readFileSync(file, "utf8")

// The host of a Function URL names its region.
const region = /\.lambda-url\.([a-z0-9-]+)\./.exec(url.host)?.[1] ?? process.env["AWS_REGION"]
const { headers } = aws4.sign({
  service: "lambda",
  ...(region === undefined ? {} : { region }),
  method: "POST",
  host: url.host,
  path: url.pathname,
  headers: { "content-type": "application/json" },
  body,
})
const response = await fetch(url, { method: "POST", headers: Object(headers), body })
process.stdout.write(`${await response.text()}\n`)
process.exitCode = response.ok ? 0 : 1
