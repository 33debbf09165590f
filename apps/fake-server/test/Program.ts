/** The program, built once, and started from a shell or a script. */
import { spawn } from "node:child_process"
import * as path from "node:path"
import * as BuiltOnce from "../../../scripts/test/BuiltOnce.ts"
import { build } from "../scripts/Bundle.ts"

/** Its file. */
export const built = path.join(await BuiltOnce.folder("fake-server", build), "bin.js")

/** Starts it. `line` is the first that it prints. */
export const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, program = built) => {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  const line = new Promise<string>((resolve) =>
    child.stdout.on("data", () => output.stdout.includes("\n") && resolve(output.stdout)),
  )
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, output, line, exit }
}
