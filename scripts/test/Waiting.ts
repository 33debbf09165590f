/** Waits for what another process or a timer brings about. */
import { vi } from "vitest"

/** For a machine that is very busy: a wait that ends only by this limit means that the event does not come. */
export const limitMillis = 240_000

/** Waits until a condition holds, and returns what it returned. */
export const until = <A>(condition: () => A | Promise<A>) =>
  vi.waitUntil(condition, { timeout: limitMillis, interval: 20 })
