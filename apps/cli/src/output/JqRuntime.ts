/** jq as a module: the package exports a promise, which cannot be imported when it is needed. */
import jq from "jq-web"

/** The standard output of jq, `undefined` if it is empty. Throws an `Error` with its standard error. */
export const raw = async (input: string, filter: string, flags: ReadonlyArray<string>): Promise<string | undefined> =>
  (await jq).raw(input, filter, flags)
