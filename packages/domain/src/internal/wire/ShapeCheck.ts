/**
 * Where a value from the wire is not what the contract says, in the words of the schemas. It takes a hundredth of
 * their code, for programs that have to start fast; a differential test holds the two to the same answers.
 */

/** The first place that is wrong, as the keys that lead to it, and what belongs there. */
export interface Misfit {
  readonly path: ReadonlyArray<string>
  readonly expected: string
}

/** What a value should be: finds the first place where it is not. */
export type Shape = (value: unknown) => Misfit | undefined

/** A string. */
export const text: Shape = (value) => (typeof value === "string" ? undefined : here("string"))

/** A string called `name` that holds to a rule, which `expected` says. */
export const textThat =
  (name: string, expected: (text: string) => string | undefined): Shape =>
  (value) => {
    if (typeof value !== "string") return here(name)
    const problem = expected(value)
    return problem === undefined ? undefined : here(problem)
  }

/** An object with at least these fields. */
export const fields = (shapes: Readonly<Record<string, Shape>>, name = "object"): Shape => {
  const entries = Object.entries(shapes)
  return (value) => {
    if (!isObject(value)) return here(name)
    return first(entries, ([key, shape]) =>
      within(key, Object.hasOwn(value, key) ? shape(value[key]) : here("present")),
    )
  }
}

/** An array. */
export const list =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value)
      ? first([...value.keys()], (index) => within(String(index), shape(value[index])))
      : here("array")

/** An object with any keys. */
export const record =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) ? first(Object.entries(value), ([key, child]) => within(key, shape(child))) : here("object")

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const here = (expected: string): Misfit => ({ path: [], expected })

const within = (key: string, misfit: Misfit | undefined): Misfit | undefined =>
  misfit === undefined ? undefined : { path: [key, ...misfit.path], expected: misfit.expected }

const first = <A>(values: ReadonlyArray<A>, find: (value: A) => Misfit | undefined): Misfit | undefined => {
  for (const value of values) {
    const misfit = find(value)
    if (misfit !== undefined) return misfit
  }
  return undefined
}
