/** `pnpm artefacts`: writes the files of the coming release that later versions have to read: after a change of a format. */
import * as ReleasedFiles from "../packages/files/test/ReleasedFiles.ts"

await ReleasedFiles.write(ReleasedFiles.next)
