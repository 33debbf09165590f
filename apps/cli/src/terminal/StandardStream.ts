/** Writes to standard output and standard error, to the last byte. It needs nothing else of the program. */
import { fstatSync, writeSync } from "node:fs"

/** A stream without a listener for its errors would end the process when its reader goes away. */
const listened = new WeakSet<NodeJS.WriteStream>()

/** Writes a text, and says when it has been taken or why not. */
export const write = (
  stream: NodeJS.WriteStream & { readonly fd: 1 | 2 },
  text: string,
  done: (error?: Error | null) => void,
): void => {
  if (isFile(stream.fd)) return writeFile(stream.fd, Buffer.from(text), done)
  if (!listened.has(stream)) {
    listened.add(stream)
    stream.on("error", () => {})
  }
  stream.write(text, done)
}

/** Whether the reader went away, as with `transfers … | head`: it has what it wanted. */
export const isGone = (error: Error): boolean =>
  "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED")

const isFile = (fd: number): boolean => {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

/** A disk that is nearly full takes a part of a write and calls it done; Node's stream for files does not look. */
const writeFile = (fd: number, bytes: Uint8Array, done: (error?: Error | null) => void): void => {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)))
  }
  done()
}
