/**
 * `pnpm sea`: writes the program and Node into one file, Node's own single executable application, and beside it what goes
 * with it: the manual pages and the licences.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleWhole } from "../scripts/bundle.ts"

const nodePackage = join(import.meta.dirname, `node_modules/node-${process.platform}-${process.arch}`)
const node = join(nodePackage, "bin/node")
const postject = join(import.meta.dirname, "node_modules/.bin/postject")

/** By which Node finds its program: https://nodejs.org/api/single-executable-applications.html. */
const sentinel = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"

const build = async (folder: string): Promise<void> => {
  const executable = join(folder, "transfers")
  const bundled = mkdtempSync(join(tmpdir(), "transfers-sea-"))
  try {
    await bundleWhole(bundled)
    const config = {
      main: join(bundled, "transfers.cjs"),
      output: join(bundled, "transfers.blob"),
      assets: { "help-pages.json": join(bundled, "help-pages.json"), "jq.wasm": join(bundled, "jq.wasm") },
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
    }
    writeFileSync(join(bundled, "sea.json"), JSON.stringify(config))
    // The Node that runs it must have made it: it holds compiled code.
    execFileSync(node, ["--experimental-sea-config", join(bundled, "sea.json")], { stdio: "pipe" })
    rmSync(folder, { recursive: true, force: true })
    cpSync(node, executable)
    execFileSync(postject, [executable, "NODE_SEA_BLOB", config.output, "--sentinel-fuse", sentinel], { stdio: "pipe" })
    cpSync(join(bundled, "man"), join(folder, "man"), { recursive: true })
    const licences = [join(bundled, "THIRD-PARTY-NOTICES"), join(nodePackage, "LICENSE")]
    writeFileSync(
      join(folder, "THIRD-PARTY-NOTICES"),
      licences.map((file) => readFileSync(file, "utf8")).join(`\n${"-".repeat(80)}\n\n`),
    )
  } finally {
    rmSync(bundled, { recursive: true, force: true })
  }
}

await build(join(import.meta.dirname, "dist"))
console.log("apps/cli/sea/dist/transfers")
