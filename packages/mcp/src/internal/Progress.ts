/** How far a call has come, for a client that gave it a progress token. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Reports how many transfers a call has read so far. Does nothing outside of a call, or if the client does not ask. */
export const Progress = Context.Reference<(read: number) => Effect.Effect<void>>("@transferkit/mcp/Progress", {
  defaultValue: () => () => Effect.void,
})
