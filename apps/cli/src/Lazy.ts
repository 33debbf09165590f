/** Modules that are loaded when they are needed, so that help and the other commands start without them. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The handler of a command, loaded when the command is called. */
export const lazily =
  <Input, E, R>(load: () => Promise<{ readonly run: (input: Input) => Effect.Effect<void, E, R> }>) =>
  (input: Input): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(input))

/** A layer, loaded when it is built. */
export const lazy = <A, E, R>(load: () => Promise<Layer.Layer<A, E, R>>): Layer.Layer<A, E, R> =>
  Layer.unwrap(Effect.promise(load))
