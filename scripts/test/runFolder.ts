/** A folder for what the test files of a run share: what is built once, and the compiled code of the processes that they start. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export default (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-tests-"))
  process.env["TEST_RUN_FOLDER"] = folder
  process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compiled")
  return () => rmSync(folder, { recursive: true, force: true })
}
