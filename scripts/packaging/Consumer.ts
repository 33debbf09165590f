/** A project outside the repository that installs our packages from the local registry, as a user would. */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Repository from "../Repository.ts"

/** The Nodes that the packages support: the oldest, the repository's own, and the newest. */
export const nodes = [
  join(import.meta.dirname, "node_modules/node-22/bin/node"),
  join(Repository.root, "node_modules/.bin/node"),
  join(import.meta.dirname, "node_modules/node-26/bin/node"),
] as const

/** A Node that they do not. */
export const tooOld = join(import.meta.dirname, "node_modules/node-20/bin/node")

/** The last three TypeScripts. */
const compilers = [
  join(import.meta.dirname, "node_modules/typescript-5/bin/tsc"),
  join(import.meta.dirname, "node_modules/typescript-6/bin/tsc"),
  join(Repository.root, "node_modules/.bin/tsc"),
] as const

export interface Consumer {
  readonly folder: string
  readonly write: (name: string, text: string) => void
  /** Runs a program to its end, and returns what it printed. Throws if it fails. */
  readonly run: (file: string, ...args: ReadonlyArray<string>) => string
}

export interface Needs {
  readonly npmrc: string
  /** Names of packages, with a version or a file if it matters. */
  readonly packages: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/** Makes the project, and installs what it needs with npm. */
export const make = (folder: string, { npmrc, packages, env = {} }: Needs): Consumer => {
  mkdirSync(folder)
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const run = (file: string, ...args: ReadonlyArray<string>): string => {
    const { status, stdout, stderr } = spawnSync(file, args, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      env: { ...process.env, ...env },
    })
    if (status === 0) return stdout
    throw new Error(
      `in ${basename(folder)}, ${basename(file)} ${args.join(" ")} ended with ${status}\n${stdout}${stderr}`,
    )
  }
  write("package.json", JSON.stringify({ name: "consumer", version: "1.0.0", private: true, type: "module" }))
  write(".npmrc", npmrc)
  run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...packages)
  return { folder, write, run }
}

/**
 * Compiles the project's own files with every compiler, and checks all declarations. Modules are resolved as Node does
 * and as bundlers do; of large projects, only the newest compiler does both.
 */
export const compile = async ({ folder, write }: Consumer, size: "small" | "large"): Promise<void> => {
  const all = compilers.flatMap((compiler, index) =>
    (["nodenext", "bundler"] as const)
      .filter((way) => way === "nodenext" || size === "small" || index === compilers.length - 1)
      .map((moduleResolution) => ({ compiler, moduleResolution })),
  )
  const one = async ({ compiler, moduleResolution }: (typeof all)[number], index: number): Promise<void> => {
    const options = {
      target: "ES2024",
      lib: ["ES2024", "DOM"],
      module: moduleResolution === "bundler" ? "preserve" : moduleResolution,
      moduleResolution,
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    }
    const project = `tsconfig.${index}.json`
    const include = moduleResolution === "bundler" ? ["*.ts"] : ["*.ts", "*.cts"]
    write(project, JSON.stringify({ compilerOptions: options, include }))
    const [file, ...args] =
      compiler.endsWith("bin/tsc") && !compiler.includes(".bin") ? [process.execPath, compiler] : [compiler]
    const { code, output } = await finished(file ?? compiler, [...args, "-p", project], folder)
    if (code !== 0) throw new Error(`in ${basename(folder)}, ${compiler}, ${moduleResolution}:\n${output}`)
  }
  // Two at a time, as many as there are cores.
  const waiting = [...all.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next[1], next[0])
  }
  await Promise.all([work(), work()])
}

const finished = (file: string, args: ReadonlyArray<string>, cwd: string) =>
  new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
    child.once("error", reject).once("close", (code) => resolve({ code, output }))
  })
