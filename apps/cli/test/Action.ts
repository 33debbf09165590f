/** Runs the steps of a composite action as a runner does, as far as the actions of this repository ask for it. */
import { spawn } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { parse } from "yaml"
import { bin } from "./Cli.ts"

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: {
    readonly steps: ReadonlyArray<{
      readonly id?: string
      readonly if?: string
      readonly shell: string
      readonly env: Readonly<Record<string, string>>
      readonly run: string
    }>
  }
}

/** Performs the action of a folder below `deploy`, in a folder, against a service. */
export const perform = async (
  name: string,
  { folder, url }: { readonly folder: string; readonly url: string },
  given: Readonly<Record<string, string>>,
) => {
  const folderOfAction = fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))
  const action: Action = parse(await readFile(join(folderOfAction, "action.yml"), "utf8"))
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]))
  const inputs: Readonly<Record<string, string>> = {
    ...defaults,
    command: `${process.execPath} ${bin}`,
    "base-url": url,
    "partner-id": "demo",
    "secret-key": "demo-secret",
    ...given,
  }
  const outputs: Record<string, Record<string, string>> = {}
  const valueOf = (text: string): string =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => {
      const [root, name = "", , output = ""] = path.split(".")
      return (root === "inputs" ? inputs[name] : outputs[name]?.[output]) ?? ""
    })
  const summary = join(folder, "summary.md")
  await writeFile(summary, "")
  let printed = ""
  for (const [index, step] of action.runs.steps.entries()) {
    const condition = /^inputs\.(\w+) != ''$/.exec(step.if ?? "")
    if (step.if !== undefined && (inputs[condition?.[1] ?? ""] ?? "") === "") continue
    expect(step.run).not.toContain("${{")
    const file = join(folder, `output-${index}`)
    await writeFile(file, "")
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      cwd: folder,
      env: {
        PATH: `${folder}:${join(process.execPath, "..")}:${process.env["PATH"]}`,
        HOME: folder,
        GITHUB_ACTION_PATH: folderOfAction,
        GITHUB_OUTPUT: file,
        GITHUB_STEP_SUMMARY: summary,
        ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, valueOf(value)])),
      },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text))
    }
    const status = await new Promise<number | null>((resolve) => child.on("close", resolve))
    const lines = (await readFile(file, "utf8")).trim().split("\n")
    if (step.id !== undefined) outputs[step.id] = Object.fromEntries(lines.map((line) => line.split("=")))
    if (status !== 0) return { status, summary: await readFile(summary, "utf8"), outputs, printed }
  }
  return { status: 0, summary: await readFile(summary, "utf8"), outputs, printed }
}
