/**
 * What a tool shows, as the fragment of the address: `#scan?seed=7&shape=bursts`. So every picture is a link, and nothing
 * of it reaches a server.
 */

/** The tools by their names in the address. */
export const tools = ["scan", "filter", "ledger", "fake"] as const

export type Tool = (typeof tools)[number]

export interface Address {
  readonly tool: Tool
  readonly settings: ReadonlyMap<string, string>
}

/** Reads a fragment. What it does not name, or names wrongly, is the default. */
export const parse = (fragment: string): Address => {
  const [name = "", query = ""] = fragment.replace(/^#/, "").split("?", 2)
  const tool = tools.find((each) => each === name) ?? "scan"
  return { tool, settings: new Map(new URLSearchParams(query)) }
}

/** The fragment of an address. */
export const print = ({ tool, settings }: Address): string => {
  const query = new URLSearchParams([...settings]).toString()
  return `#${tool}${query === "" ? "" : `?${query}`}`
}

/** A whole number within bounds; the default if it is none. */
export const whole = (
  text: string | undefined,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number => {
  const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise
  return Math.min(most, Math.max(least, value))
}

/** One of the values; the default if it is none. */
export const oneOf = <A extends string>(text: string | undefined, values: ReadonlyArray<A>, otherwise: A): A =>
  values.find((value) => value === text) ?? otherwise
