/**
 * Tries only some mutants, drawn at random. Stryker takes it for a checker: what checks a mutant before its tests run,
 * such as a compiler. It gets every mutant that is not static at once, and rejects those that are not drawn.
 */
import { createHash } from "node:crypto"
import { relative } from "node:path"

/** What the command hands over, in Stryker's options. */
interface Options {
  readonly sample: { readonly size: number; readonly seed: string }
}

interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly replacement: string
  readonly location: unknown
}

/** The ids of `size` mutants, or of all if there are fewer. The same seed draws the same ones from the same sources. */
export const draw = (mutants: ReadonlyArray<Mutant>, { size, seed }: Options["sample"]): ReadonlySet<string> => {
  const ranked = mutants.map(({ id, ...mutant }) => ({ id, rank: rank(seed, mutant) }))
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))
  return new Set(ranked.slice(0, size).map(({ id }) => id))
}

const rank = (seed: string, { fileName, location, replacement }: Omit<Mutant, "id">): string =>
  createHash("sha256")
    .update(JSON.stringify([seed, relative(process.cwd(), fileName), location, replacement]))
    .digest("hex")

const checkerOf = ({ sample }: Options) => ({
  init: async () => {},
  group: async (mutants: ReadonlyArray<Mutant>) => [mutants.map(({ id }) => id)],
  check: async (mutants: ReadonlyArray<Mutant>) => {
    const drawn = draw(mutants, sample)
    return Object.fromEntries(
      mutants.map(({ id }) => [
        id,
        drawn.has(id) ? { status: "passed" } : { status: "compileError", reason: "not drawn" },
      ]),
    )
  },
})
checkerOf.inject = ["options"]

/** The name by which Stryker finds its plug-ins. */
export const strykerPlugins = [{ kind: "Checker", name: "sample", factory: checkerOf }]
