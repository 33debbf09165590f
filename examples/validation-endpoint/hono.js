/** With Hono: POST /validations takes proposals as JSON, and returns a verdict on each. */
import { createTransferClient, MalformedProposals } from "@transferkit/http-client/promise"
import { Hono } from "hono"

/** @param {import("@transferkit/http-client/promise").TransferClientConfig} config */
export const createApp = (config) => {
  const client = createTransferClient(config)
  const app = new Hono()
  app.post("/validations", async (context) => {
    const verdicts = await client.validate(await context.req.text())
    return context.json({ verdicts }, verdicts.every(({ valid }) => valid) ? 200 : 422)
  })
  app.onError((error, context) =>
    error instanceof MalformedProposals
      ? context.json({ error: error.message }, 400)
      : context.json({ error: "The service cannot be asked now." }, 502),
  )
  return app
}
