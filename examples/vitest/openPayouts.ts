/** The code under test: what a shop still waits for, by currency. */
import { createTransferClient, type TransferClientConfig } from "@transferkit/http-client/promise"

/** The ids of the transfers that may still change. */
export const openPayouts = async (config: TransferClientConfig): Promise<ReadonlyArray<string>> => {
  const open: Array<string> = []
  for await (const { id, status } of createTransferClient(config).list()) {
    if (status !== "complete" && status !== "declined") open.push(id)
  }
  return open
}
