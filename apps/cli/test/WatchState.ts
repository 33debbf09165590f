/** What a watch keeps in its folder. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** The number of events that it has yet to deliver. */
export const pendingIn = (folder: string): number => {
  using db = new DatabaseSync(join(folder, "transfers.db"), { readOnly: true })
  return Number(db.prepare("SELECT COUNT(*) AS pending FROM pending_deliveries").get()?.["pending"])
}
