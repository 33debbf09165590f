/** All of standard input, as text. */
import { FileError } from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"

/** Reads standard input to its end. */
export const readStandardInput: Effect.Effect<string, FileError> = Effect.tryPromise({
  try: async (signal) => {
    const stop = () => process.stdin.destroy()
    signal.addEventListener("abort", stop)
    let text = ""
    for await (const chunk of process.stdin.setEncoding("utf8")) text += String(chunk)
    signal.removeEventListener("abort", stop)
    return text
  },
  catch: () => new FileError({ path: "standard input", reason: "it cannot be read" }),
})
