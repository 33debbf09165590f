/** Requests the service's capabilities and validates nothing: what no handler can do without. */
const { get } = process.getBuiltinModule("node:https")
const auth = `${process.env.TRANSFERS_PARTNER_ID}:${process.env.TRANSFERS_SECRET_KEY}`

const ask = () =>
  new Promise((resolve, reject) => {
    get(`${process.env.TRANSFERS_BASE_URL}/v1/capabilities`, { auth }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part) => (text += part))
      response.on("end", () => resolve(JSON.parse(text)))
    }).on("error", reject)
  })

let capabilities

export const handler = async () => {
  capabilities ??= await ask()
  return { statusCode: 200, body: "{}" }
}
