/**
 * Writes a module so that V8 compiles it quickly, by two of its habits.
 *
 * It takes the parameters of an arrow function for an expression until it meets the arrow, so that they become plain
 * functions. And it reads a function twice, over it at first and whole when it is called, but compiles one in
 * parentheses at once, as those that are called on the spot stand: so do the ones that run while the module is loaded.
 */
import { spawnSync } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { transform, type TransformOptions } from "esbuild"

export interface QuickOptions {
  /** The variables to load the module with, which is done once, to see what runs. */
  readonly environment: Readonly<Record<string, string>>
  /** How the module is minified. */
  readonly minified: TransformOptions
}

/** The same module, quick to compile. */
export const quickToCompile = async (code: string, { environment, minified }: QuickOptions): Promise<string> => {
  // First the fields of classes: esbuild loses the `this` of an arrow function that initialises one.
  const fields = { "class-field": false, "class-static-field": false }
  const { code: withoutFields } = await transform(code, { ...minified, supported: fields })
  const { code: withoutArrows } = await transform(withoutFields, { ...minified, supported: { arrow: false } })
  return inParentheses(withoutArrows, await functionsRun(withoutArrows, environment))
}

const inParentheses = (code: string, functions: ReadonlyArray<Range>): string => {
  const marks = functions.flatMap(({ startOffset, endOffset }) =>
    isExpression(code, startOffset)
      ? [
          { at: startOffset, mark: "(" },
          { at: endOffset, mark: ")" },
        ]
      : [],
  )
  let marked = ""
  let done = 0
  for (const { at, mark } of marks.toSorted((a, b) => a.at - b.at)) {
    marked += code.slice(done, at) + mark
    done = at
  }
  return marked + code.slice(done)
}

/** Whether a function that starts here is a part of an expression, where parentheses change nothing. */
const isExpression = (code: string, start: number): boolean =>
  /^(async )?function\b/.test(code.slice(start, start + 15)) && "=(,?&|[".includes(code.charAt(start - 1))

/** What Node writes of a process that runs with `NODE_V8_COVERAGE`, as far as it is read here. */
interface Coverage {
  readonly result: ReadonlyArray<{ readonly url: string; readonly functions: ReadonlyArray<FunctionCoverage> }>
}

interface FunctionCoverage {
  /** The first is the function itself. */
  readonly ranges: ReadonlyArray<Range>
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

const functionsRun = async (code: string, environment: QuickOptions["environment"]): Promise<ReadonlyArray<Range>> => {
  const folder = await mkdtemp(join(tmpdir(), "compile-hints-"))
  try {
    const file = join(folder, "module.mjs")
    await writeFile(file, code)
    const env = { ...environment, NODE_V8_COVERAGE: join(folder, "coverage") }
    const { status, stderr } = spawnSync(process.execPath, [file], { env, encoding: "utf8" })
    if (status !== 0) throw new Error(`The module does not load:\n${stderr}`)
    const [report = ""] = await readdir(env.NODE_V8_COVERAGE)
    const { result }: Coverage = JSON.parse(await readFile(join(env.NODE_V8_COVERAGE, report), "utf8"))
    const functions = result.find(({ url }) => url === pathToFileURL(file).href)?.functions ?? []
    return functions.flatMap(({ ranges: [whole] }) => (whole !== undefined && whole.count > 0 ? [whole] : []))
  } finally {
    await rm(folder, { recursive: true })
  }
}
