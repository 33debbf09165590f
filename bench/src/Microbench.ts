/** Times a small function within a process: warmed up, in samples so short that a busy machine spares most of them. */
import { do_not_optimize as keep, measure } from "mitata"

/** The median time of one call, in nanoseconds. What `run` returns is kept from being optimised away. */
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
  let turn = 0
  const median = await nanoseconds(() => {
    const items = batches[turn++ % batches.length] ?? []
    for (const item of items) keep(run(item))
  })
  return median / batch
}
