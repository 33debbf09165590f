/** Times a small function within a process, after a warm-up, in samples so short that a busy machine disturbs few of them. */
import { do_not_optimize as keep, measure } from "mitata"

/** The median time of one call, in nanoseconds. The result of `run` is used, so that the call is not optimised away. */
export const nanoseconds = async (run: () => unknown): Promise<number> => {
  const { p50 } = await measure(() => keep(run()), { min_cpu_time: 400_000_000, inner_gc: false })
  return p50
}

const batch = 50

/** The median time for one of many items, in nanoseconds: a sample goes through fifty of them, the next through more. */
export const nanosecondsEach = async <A>(items: ReadonlyArray<A>, run: (item: A) => unknown): Promise<number> => {
  const batches = Array.from({ length: Math.floor(items.length / batch) }, (_, index) =>
    items.slice(index * batch, (index + 1) * batch),
  )
  let sample = 0
  const median = await nanoseconds(() => {
    const items = batches[sample++ % batches.length] ?? []
    for (const item of items) keep(run(item))
  })
  return median / batch
}
