/**
 * The program behind the executable. Here it is the sources; the bundle has another module in this place, which holds
 * the help pages as text and compiles the rest when it is asked for, because most of a short run is reading code.
 */

/** Help pages of 80 columns in colour, by the words of their command. */
export const helpPages: Readonly<Record<string, string>> = {}

/** Loads what runs a command line. */
export const load = () => import("./Main.ts")
