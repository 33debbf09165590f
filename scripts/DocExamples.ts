/** The examples in docstrings: an expression, and its value after `// =>`. */

/** One example of a documented export. `setup` is the lines before it. */
export interface Example {
  readonly member: string
  readonly expression: string
  readonly expected: string
  readonly setup: string
}

const documented = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export (?:const|class|function|interface|type) (\w+)/g

/** The examples of a module's source, in order. */
export const find = (source: string): ReadonlyArray<Example> =>
  [...source.matchAll(documented)].flatMap(([, block = "", member = ""]) =>
    block
      .split("@example")
      .slice(1)
      .flatMap((example) => examplesIn(example, member)),
  )

const examplesIn = (example: string, member: string): ReadonlyArray<Example> => {
  const found: Array<Example> = []
  const setup: Array<string> = []
  for (const line of example.split("\n").map((text) => text.replace(/^\s*\*\s?/, "").trimEnd())) {
    const [expression = "", expected] = line.split(" // => ")
    if (expected === undefined) setup.push(line)
    else found.push({ member, expression, expected, setup: setup.join("\n") })
  }
  return found
}

/** The names in `export { … } from "./Another.ts"`, those of types too. */
export interface Relay {
  readonly names: ReadonlyArray<string>
  /** The other module, relative to this one. */
  readonly from: string
}

/** What a module's source exports from other modules. */
export const relays = (source: string): ReadonlyArray<Relay> =>
  [...source.matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm)].map(([, list = "", from = ""]) => ({
    names: list.split(",").flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? []),
    from,
  }))

/** The names of all that a module's source exports: values, and the types that no running program sees. */
export const exportsOf = (source: string): ReadonlyArray<string> => [
  ...new Set([
    ...[...source.matchAll(/^export (?:const|class|function|interface|type) (\w+)/gm)].map(([, name = ""]) => name),
    ...relays(source).flatMap(({ names }) => names),
  ]),
]

type AsyncFunction = new (
  ...parameters: ReadonlyArray<string>
) => (...values: ReadonlyArray<unknown>) => Promise<unknown>

const AsyncFunction = (async () => {}).constructor as AsyncFunction

/** The value of an example, and the value that it claims. `scope` holds the names it can use. */
export const run = async ({ setup, expression, expected }: Example, scope: Readonly<Record<string, unknown>>) => {
  const evaluate = (code: string) => new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope))
  return {
    actual: await evaluate(`${setup}\nreturn (${expression})`),
    expected: await evaluate(`return (${expected})`),
  }
}
