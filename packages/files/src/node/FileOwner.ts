/** Whose a file is: one of another user, root apart, may be read or replaced by that user. */
import type { Stats } from "node:fs"

/** The uid of another user to whom a file belongs; none if it is the user's own or root's. Windows has no such users. */
export const other = ({ uid }: Pick<Stats, "uid">): number | undefined => {
  const user = process.geteuid?.()
  return user === undefined || uid === user || uid === 0 ? undefined : uid
}
