/** The program's cache folder. bin needs it before Effect is loaded. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** Its path. XDG: a relative path is invalid and ignored, because it would be another's folder. */
export const path = (): string => {
  const cache = process.env["XDG_CACHE_HOME"] ?? ""
  return join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "transfers")
}
