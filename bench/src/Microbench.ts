/** Times a small function within a process: warmed up, the garbage of one sample collected before the next. */
import { do_not_optimize as keep, measure } from "mitata"

/** The median time of one call, in nanoseconds. What `run` returns is kept from being optimised away. */
export const nanoseconds = async (run: () => unknown): Promise<number> => {
  const { p50 } = await measure(() => keep(run()), { min_cpu_time: 400_000_000, inner_gc: false })
  return p50
}
