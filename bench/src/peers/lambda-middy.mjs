import { middy } from "@middy/core"
import { proposals } from "./proposals-schema.mjs"
import { validate } from "./validate-by-hand.mjs"

const parseBody = {
  before: async (request) => {
    request.event.body = proposals.parse(JSON.parse(request.event.body))
  },
}

const refuse = (request) => {
  request.response = { statusCode: 400, body: JSON.stringify({ errors: [{ message: request.error.message }] }) }
}

export const handler = middy()
  .use(parseBody)
  .onError(refuse)
  .handler(async (event) => ({
    statusCode: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(await validate(event.body.transfers)),
  }))
