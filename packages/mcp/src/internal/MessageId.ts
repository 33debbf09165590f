/** The id of a request: its answer must have the same. */

export const expected = "The id of a request is a string or an integer, of at most 9007199254740991"

/** Whether an answer can repeat an id. A larger number was rounded when it was parsed, so the answer would have another. */
export const isExact = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id)
