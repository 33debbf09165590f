/** With Express: POST /validations takes proposals as JSON, and returns a verdict on each. */
import { createTransferClient, MalformedProposals } from "@transferkit/http-client/promise"
import express from "express"

/** @param {import("@transferkit/http-client/promise").TransferClientConfig} config */
export const createApp = (config) => {
  const client = createTransferClient(config)
  const app = express()
  // As text: a body that is not JSON gets the same answer as one that holds no proposal.
  app.post("/validations", express.text({ type: "*/*" }), async (request, response) => {
    const verdicts = await client.validate(request.body)
    response.status(verdicts.every(({ valid }) => valid) ? 200 : 422).json({ verdicts })
  })
  app.use((error, _request, response, _next) => {
    if (error instanceof MalformedProposals) response.status(400).json({ error: error.message })
    else response.status(502).json({ error: "The service cannot be asked now." })
  })
  return app
}
