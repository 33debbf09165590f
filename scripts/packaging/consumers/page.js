/** A page: counts the transfers of the service that serves it, and reports the count. */
import { createTransferClient } from "@transferkit/http-client/promise"

const count = async () => {
  const settings = { baseUrl: location.origin, partnerId: "demo", secretKey: "demo-secret" }
  let transfers = 0
  for await (const _ of createTransferClient(settings).list()) transfers++
  return `${transfers}`
}
fetch("/result", { method: "POST", body: await count().catch(String) })
