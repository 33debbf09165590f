import { Hono } from "hono"
import { handle } from "hono/aws-lambda"
import { proposals } from "./proposals-schema.mjs"
import { validate } from "./validate-by-hand.mjs"

const app = new Hono()
app.onError((error, context) => context.json({ errors: [{ message: error.message }] }, 400))
app.post("/validate", async (context) => {
  const { transfers } = proposals.parse(await context.req.json())
  return context.json(await validate(transfers))
})

export const handler = handle(app)
