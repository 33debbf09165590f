/** `GET /api/transfers/ORDER`: the transfers of an order, for the shop's own pages. The secret key stays on the server. */
import { createTransferClient, TransferKitError } from "@transferkit/http-client/promise"

interface Context {
  readonly params: Promise<{ readonly externalId: string }>
}

export const GET = async (request: Request, { params }: Context): Promise<Response> => {
  const { externalId } = await params
  try {
    // Reads TRANSFERS_BASE_URL, TRANSFERS_PARTNER_ID and TRANSFERS_SECRET_KEY.
    const client = createTransferClient()
    const found = await client.list({ external_id: externalId }, { signal: request.signal }).toArray({ limit: 10 })
    const transfers = found.map(({ id, status, source_total }) => ({ id, status, source_total }))
    return Response.json({ transfers }, { status: transfers.length === 0 ? 404 : 200 })
  } catch (error) {
    if (!(error instanceof TransferKitError)) throw error
    return Response.json({ error: "The transfer service is not available." }, { status: 502 })
  }
}
