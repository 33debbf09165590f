import * as z from "zod"

const proposal = z.object({
  external_id: z.string().min(1).optional(),
  country_code: z.string(),
  payment_method: z.string(),
  source: z.object({ amount: z.string().regex(/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/), currency_code: z.string() }),
  destination_currency_code: z.string(),
})

export const proposals = z.object({ transfers: z.array(proposal).max(1000) })
