/**
 * Finds where a JSON value breaks the contract, with the same messages as the schemas but a hundredth of their code,
 * for programs that must start fast. A differential test checks that the two agree.
 */

/** The path to the first invalid value, and what was expected there. */
export interface ShapeError {
  readonly path: ReadonlyArray<string>
  readonly expected: string
}

/** Returns the first error in a value. */
export type ShapeCheck = (value: unknown) => ShapeError | undefined

/** A string. */
export const text: ShapeCheck = (value) => (typeof value === "string" ? undefined : here("string"))

/** A string called `name`. `expected` describes the rule that a text breaks. */
export const textThat =
  (name: string, expected: (text: string) => string | undefined): ShapeCheck =>
  (value) => {
    if (typeof value !== "string") return here(name)
    const problem = expected(value)
    return problem === undefined ? undefined : here(problem)
  }

/** An object with at least these fields. */
export const fields = (shapes: Readonly<Record<string, ShapeCheck>>, name = "object"): ShapeCheck => {
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
  (shape: ShapeCheck): ShapeCheck =>
  (value) =>
    Array.isArray(value)
      ? first([...value.keys()], (index) => within(String(index), shape(value[index])))
      : here("array")

/** An object with any keys. */
export const record =
  (shape: ShapeCheck): ShapeCheck =>
  (value) =>
    isObject(value) ? first(Object.entries(value), ([key, child]) => within(key, shape(child))) : here("object")

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const here = (expected: string): ShapeError => ({ path: [], expected })

const within = (key: string, error: ShapeError | undefined): ShapeError | undefined =>
  error === undefined ? undefined : { path: [key, ...error.path], expected: error.expected }

const first = <A>(values: ReadonlyArray<A>, find: (value: A) => ShapeError | undefined): ShapeError | undefined => {
  for (const value of values) {
    const error = find(value)
    if (error !== undefined) return error
  }
  return undefined
}
