/** A runtime client: takes an event from the Runtime API, calls the handler, sends its result or its error, and repeats. */
import { pathToFileURL } from "node:url"

const http = process.getBuiltinModule("node:http")
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
const { AWS_LAMBDA_RUNTIME_API: host, LAMBDA_TASK_ROOT: root, _HANDLER: name = "" } = process.env

const call = (method, path, body, headers = {}) =>
  new Promise((resolve, reject) => {
    const url = `http://${host}/2018-06-01/runtime/${path}`
    const request = http.request(url, { method, agent, headers: { ...headers, "content-type": "application/json" } })
    request.on("error", reject).on("response", (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part) => (text += part))
      response.on("end", () => resolve({ text, headers: response.headers }))
    })
    request.end(body)
  })

const describe = (error) =>
  JSON.stringify({
    errorType: error?.name ?? "Error",
    errorMessage: error?.message ?? String(error),
    trace: String(error?.stack ?? "").split("\n"),
  })

const load = async () => {
  const dot = name.lastIndexOf(".")
  const loaded = await import(pathToFileURL(`${root}/${name.slice(0, dot)}.mjs`).href)
  return loaded[name.slice(dot + 1)]
}

const handler = await load().catch(async (error) => {
  await call("POST", "init/error", describe(error))
  process.exit(1)
})

for (;;) {
  const { text, headers } = await call("GET", "invocation/next")
  const awsRequestId = headers["lambda-runtime-aws-request-id"]
  const deadline = Number(headers["lambda-runtime-deadline-ms"])
  const xRayTraceId = headers["lambda-runtime-trace-id"]
  const context = { awsRequestId, xRayTraceId, getRemainingTimeInMillis: () => deadline - Date.now() }
  await Promise.resolve()
    .then(() => handler(JSON.parse(text), context))
    .then(
      (value) => call("POST", `invocation/${awsRequestId}/response`, JSON.stringify(value ?? null)),
      (error) => call("POST", `invocation/${awsRequestId}/error`, describe(error)),
    )
}
