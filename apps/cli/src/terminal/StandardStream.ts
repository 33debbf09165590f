/**
 * Writes to standard output and standard error, to the last byte. Not Effect's Stdio: Node's stream for files ignores
 * partial writes to a full disk, and bin needs this before Effect is loaded.
 */
import { fstatSync, writeSync } from "node:fs"

/** A stream without a listener for its errors would end the process when its reader goes away. */
const listened = new WeakSet<NodeJS.WriteStream>()

/** Writes a text or bytes, and calls back when it was accepted or failed. */
export const write = (
  stream: NodeJS.WriteStream & { readonly fd: 1 | 2 },
  data: string | Uint8Array,
  done: (error?: Error | null) => void,
): void => {
  if (isFile(stream.fd)) return writeFile(stream.fd, typeof data === "string" ? Buffer.from(data) : data, done)
  if (!listened.has(stream)) {
    listened.add(stream)
    stream.on("error", () => {})
  }
  stream.write(data, done)
}

/** Whether the reader closed its end, as with `transfers … | head`. */
export const isClosed = (error: Error): boolean =>
  "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED")

const isFile = (fd: number): boolean => {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

/** A disk that is nearly full accepts a part of a write. */
const writeFile = (fd: number, bytes: Uint8Array, done: (error?: Error | null) => void): void => {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)))
  }
  done()
}
