/** Checks the budgets: counts instructions, and looks figures up in the results of the benchmarks. */
import { withService } from "../FakeService.ts"
import { type Result, spreadOf } from "../Result.ts"
import { type Budget, type Instructions, isWithin, type Limit, type Measured, type Program } from "./Budget.ts"
import * as Callgrind from "./Callgrind.ts"
import * as Servers from "./Servers.ts"

/** The figure of a guard, if there is one, and whether it is within the limit. */
export interface Finding {
  readonly value: number | undefined
  readonly isWithin: boolean
}

/** Identifies a program, so that each is counted once. */
export const keyOf = (program: Program): string => JSON.stringify(program)

/** The programs of all instruction guards, each once. */
export const programsOf = (budgets: ReadonlyArray<Budget>): ReadonlyArray<Program> => {
  const all = budgets
    .flatMap(({ guards }) => guards)
    .flatMap((guard) => (guard.kind === "instructions" ? [guard.ours, guard.against] : []))
  return [...new Map(all.map((program) => [keyOf(program), program])).values()]
}

/** Runs of a server: a collection of garbage or a compilation may fall among the requests that are counted, or not. */
const serverRuns = 3

/** The share by which two runs may differ that nothing has disturbed. */
const sameShare = 0.02

/** One after the other: a core for each program that is counted is enough. Ends with a run that is the same as the least. */
const leastOf = async (runs: number, run: () => Promise<number>): Promise<number> => {
  let least = await run()
  for (let done = 1; done < runs; done++) {
    const next = await run()
    const isSame = Math.abs(next - least) <= sameShare * least
    least = Math.min(least, next)
    if (isSame) break
  }
  return least
}

/** Counts one program; if it runs several times, the run that was disturbed least. */
export const count = async (program: Program): Promise<number> => {
  switch (program.kind) {
    case "operation":
      return leastOf(program.runs ?? 1, () => Callgrind.ofRepeated(program))
    case "server":
      return leastOf(serverRuns, () => Servers.instructions(program))
    case "process":
      return Callgrind.ofProcess(program.args, program.env)
    case "request":
      return withService(1000, (folder, env) =>
        Callgrind.ofProcess(program.args, { ...env, HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder }),
      )
  }
}

/** The ratios that were counted last, by the budgets' titles. */
export type Ratios = Readonly<Record<string, number>>

/** Instructions, by {@link keyOf}. */
export type Counts = ReadonlyMap<string, number>

export const instructions = ({ ours, against, per = 1, atMost }: Instructions, counts: Counts): Finding => {
  const [own, other] = [counts.get(keyOf(ours)), counts.get(keyOf(against))]
  if (own === undefined || other === undefined) throw new Error(`not counted: ${keyOf(ours)} or ${keyOf(against)}`)
  const value = own / other / per
  return { value, isWithin: value <= atMost }
}

/** The last figure of a benchmark; none if it did not have that contestant yet. */
export const measured = (limit: Limit, guard: Measured, results: ReadonlyArray<Result>): Finding => {
  const contestants = results.find(({ bench }) => bench === guard.bench)?.contestants
  const medianOf = (name: string): number | undefined =>
    spreadOf(contestants?.find((each) => each.name === name)?.samples[guard.metric])?.median
  const [own, other] = [medianOf(guard.of), guard.to === undefined ? 1 : medianOf(guard.to)]
  if (own === undefined || other === undefined) return { value: undefined, isWithin: false }
  const value = own / other
  return { value, isWithin: isWithin(limit, value / (guard.per ?? 1)) }
}
