/** A project outside the repository that installs our packages from the local registry, as a user would. */
import { spawn, type SpawnOptionsWithoutStdio } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Repository from "../Repository.ts"

/** The Nodes that the packages support: the oldest, the repository's own, and the newest. */
export const nodes = [
  join(import.meta.dirname, "node_modules/node-22/bin/node"),
  join(Repository.root, "node_modules/.bin/node"),
  join(import.meta.dirname, "node_modules/node-26/bin/node"),
] as const

/** A program of another run time, or of others who use the packages. */
export const program = (name: "bun" | "deno" | "mcp-inspector" | "mcpb"): string =>
  join(import.meta.dirname, "node_modules/.bin", name)

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
  /** Runs a program to its end, and returns what it printed. Rejects if it fails. */
  readonly run: (file: string, ...args: ReadonlyArray<string>) => Promise<string>
}

export interface Needs {
  readonly npmrc: string
  /** Names of packages, with a version or a file if it matters. */
  readonly packages: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/** Makes the project, and installs what it needs with npm. */
export const make = async (folder: string, { packages, ...rest }: Needs): Promise<Consumer> => {
  mkdirSync(folder)
  const manifest = { name: "consumer", version: "1.0.0", private: true, type: "module" }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  const consumer = open(folder, rest)
  await consumer.run("npm", ...install, ...packages)
  return consumer
}

/** A copy of a project that says itself what it needs, in which that was installed. */
export const copy = async (source: string, folder: string, needs: Omit<Needs, "packages">): Promise<Consumer> => {
  cpSync(source, folder, { recursive: true })
  const consumer = open(folder, needs)
  await consumer.run("npm", ...install)
  return consumer
}

/** A folder with the settings of npm, and nothing else unless it was there. */
export const open = (folder: string, { npmrc, env = {} }: Omit<Needs, "packages">): Consumer => {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  // A bundler in this process sets NODE_ENV, by which npm would leave out what is for development.
  const base = { ...process.env, NODE_ENV: undefined, ...env }
  const run = async (file: string, ...args: ReadonlyArray<string>): Promise<string> => {
    const { code, stdout, stderr } = await finished(file, args, { cwd: folder, env: base })
    if (code === 0) return stdout
    throw new Error(
      `in ${basename(folder)}, ${basename(file)} ${args.join(" ")} ended with ${code}\n${stdout}${stderr}`,
    )
  }
  write(".npmrc", npmrc)
  return { folder, write, run }
}

/** The command of npm: packages that the machine has seen are not asked for again. */
export const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]

/**
 * Compiles the project's own files with every compiler, and checks all declarations. Modules are resolved as Node does
 * and as bundlers do; of large projects, only the newest compiler does both.
 */
export const compile = async ({ run, write }: Consumer, size: "small" | "large"): Promise<void> => {
  const all = compilers.flatMap((compiler, index) =>
    (["nodenext", "bundler", "node16"] as const)
      .filter((way) => way === "nodenext" || size === "small" || (way === "bundler" && index === compilers.length - 1))
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
    // Those of JavaScript run on the Node of this process.
    await (compiler.includes(".bin") ? run(compiler, "-p", project) : run(process.execPath, compiler, "-p", project))
  }
  // Two at a time, as many as there are cores.
  const waiting = [...all.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next[1], next[0])
  }
  await Promise.all([work(), work()])
}

const finished = (file: string, args: ReadonlyArray<string>, options: SpawnOptionsWithoutStdio) =>
  new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: "pipe" })
    child.stdin.end()
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text))
    child.once("error", reject).once("close", (code) => resolve({ code, stdout, stderr }))
  })
