/** Writes texts of any number in pieces of a size that is fast to write and small to hold. */
import * as FileError from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"

const pieceLength = 64 * 1024

/** Writes all of some texts. Fails with the `FileError` that their iteration throws. */
export const write = <E, R>(texts: Iterable<string>, to: (piece: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const iterator = texts[Symbol.iterator]()
    for (let piece = " "; piece !== "";) {
      piece = yield* FileError.attempt(() => nextOf(iterator))
      if (piece !== "") yield* to(piece)
    }
  })

const nextOf = (iterator: Iterator<string>): string => {
  let piece = ""
  while (piece.length < pieceLength) {
    const next = iterator.next()
    if (next.done === true) break
    piece += next.value
  }
  return piece
}
