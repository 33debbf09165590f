/** The names of the columns of a query: a row of a result has one value for each. */

/** A name in a message. */
export const shown = (name: string): string => JSON.stringify(name.slice(0, 64))

/** Why a result cannot be shown, if it cannot. */
export const fault = (names: ReadonlyArray<string>): string | undefined => {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `two columns have the name ${shown(twice)}: give each its own with AS`
}
