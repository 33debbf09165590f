/** `pnpm artefacts`: writes the files of the coming release that later versions have to read: after a change of a format. */
import { join } from "node:path"
import * as ReleasedFiles from "../packages/files/test/ReleasedFiles.ts"
import * as ReleasedMirrors from "../packages/mirror/test/ReleasedMirrors.ts"

await ReleasedFiles.write(ReleasedFiles.next)
await ReleasedMirrors.writeNext(join(ReleasedFiles.next, "sent.json"))
