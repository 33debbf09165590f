/**
 * Finds where a JSON value breaks the contract: what the schemas find, with a hundredth of their code, for programs that
 * must start fast. A differential test checks that the two agree.
 */
import * as Predicate from "effect/Predicate"

/** The path to the first invalid value, and what was expected there, in the words of someone who sees only JSON. */
export interface ShapeError {
  readonly path: ReadonlyArray<string>
  readonly expected: string
  /** It is of another type, such as a number in place of a text. */
  readonly isMistyped?: boolean
}

/** Returns the first error in a value. */
export type ShapeCheck = (value: unknown) => ShapeError | undefined

/** A text called `name`. `fault` says what else it should be, if it breaks a rule. */
export const textThat =
  (name: string, fault: (text: string) => string | undefined): ShapeCheck =>
  (value) => {
    if (typeof value !== "string") return mistyped(name)
    const expected = fault(value)
    return expected === undefined ? undefined : { path: [], expected }
  }

export const text: ShapeCheck = textThat("text", () => undefined)

export const flag: ShapeCheck = (value) => (typeof value === "boolean" ? undefined : mistyped("true or false"))

/** A whole number from 0. */
export const count: ShapeCheck = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? undefined : mistyped("a whole number from 0")

/** A field that may be absent. */
export const optional =
  (shape: ShapeCheck): ShapeCheck =>
  (value) =>
    value === undefined ? undefined : shape(value)

export const nullable =
  (shape: ShapeCheck): ShapeCheck =>
  (value) => {
    const error = value === null ? undefined : shape(value)
    return error?.isMistyped === true ? mistyped(`${error.expected} or null`) : error
  }

/** An object with these fields, and possibly others. */
export const fields = (shapes: Readonly<Record<string, ShapeCheck>>, name = "an object"): ShapeCheck => {
  const entries = Object.entries(shapes)
  return (value) => {
    if (!Predicate.isReadonlyObject(value)) return mistyped(name)
    return first(entries, ([key, shape]) => {
      const child = Object.hasOwn(value, key) ? value[key] : undefined
      const error = shape(child)
      return within(key, child === undefined && error !== undefined ? { path: [], expected: "present" } : error)
    })
  }
}

export const list =
  (shape: ShapeCheck): ShapeCheck =>
  (value) =>
    Array.isArray(value)
      ? first([...value.keys()], (index) => within(String(index), shape(value[index])))
      : mistyped("a list")

/** An object with any keys. */
export const record =
  (shape: ShapeCheck): ShapeCheck =>
  (value) =>
    Predicate.isReadonlyObject(value)
      ? first(Object.entries(value), ([key, child]) => within(key, shape(child)))
      : mistyped("an object")

const mistyped = (expected: string): ShapeError => ({ path: [], expected, isMistyped: true })

const within = (key: string, error: ShapeError | undefined): ShapeError | undefined =>
  error === undefined ? undefined : { path: [key, ...error.path], expected: error.expected }

const first = <A>(values: ReadonlyArray<A>, find: (value: A) => ShapeError | undefined): ShapeError | undefined => {
  for (const value of values) {
    const error = find(value)
    if (error !== undefined) return error
  }
  return undefined
}
