/** SHA-256 of files, in the form that `sha256sum --check` reads. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A line for each file of the folder. */
export const make = (folder: string, files: ReadonlyArray<string>): string =>
  files
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, file)))
          .digest("hex")}  ${file}\n`,
    )
    .join("")
