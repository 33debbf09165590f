/** What is kept from one run to the next about newer versions. bin needs this before Effect is loaded. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** The first argument of the run that looks for a newer version, in the background. */
export const command = "__look-for-update"

/** The program's cache folder. XDG: a relative path is invalid and ignored, because it would be another's folder. */
export const folder = (): string => {
  const cache = process.env["XDG_CACHE_HOME"] ?? ""
  return join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "transfers")
}

/**
 * The file with a newer version that nobody has been told of: the version that runs, a space, and the newer one; else it
 * is empty. It changed when somebody was told or a look began.
 */
export const file = (): string => join(folder(), "update")
