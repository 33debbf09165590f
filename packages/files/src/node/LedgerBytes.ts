/** The bytes of a ledger file as text. */
import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import * as LedgerText from "../ledgers/LedgerText.ts"
import type { SteadyFile } from "./SteadyFile.ts"

const headBytes = 64 * 1024

const headOf = async (file: FileHandle): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** The beginning of a file. */
export const head = (file: SteadyFile): Promise<Buffer> => file.use(headOf)

/** The beginning of a file and its encoding. Reads all of it if only its bytes can tell. */
export const inspect = async (
  file: SteadyFile,
  given: LedgerText.Encoding | undefined,
): Promise<{ readonly head: Buffer; readonly encoding: LedgerText.Encoding }> => {
  const start = await head(file)
  const foreign = LedgerText.foreignKind(start)
  if (foreign !== undefined) throw new Error(foreign)
  const marked = LedgerText.markedEncoding(start)
  if (given !== undefined) return { head: start, encoding: given }
  if (marked !== undefined && marked !== "utf-8") return { head: start, encoding: marked }
  if (marked === undefined && LedgerText.isBinary(start)) {
    throw new Error(
      "it is neither an Excel workbook nor text. Is it damaged? Export it again as .xlsx or CSV; if it is text, name its encoding with --encoding",
    )
  }
  if (await isUtf8(file)) return { head: start, encoding: "utf-8" }
  if (marked === undefined) return { head: start, encoding: "windows-1252" }
  throw new Error("it begins as UTF-8 and goes on in another encoding. Export it again, or name it with --encoding")
}

const isUtf8 = async (file: SteadyFile): Promise<boolean> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const isDecoded = (chunk?: Uint8Array): boolean => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
      return true
    } catch {
      return false
    }
  }
  for await (const chunk of file.chunks()) if (!isDecoded(chunk)) return false
  return isDecoded()
}

/** Whether a file has a quote in it, in an encoding that extends ASCII. Without one, a line is a row. */
export const hasQuotes = async (file: SteadyFile): Promise<boolean> => {
  for await (const chunk of file.chunks()) {
    if (chunk.includes(quote)) return true
  }
  return false
}

const quote = 0x22

/** A file as text, in chunks, without its byte order mark. */
export async function* text(file: SteadyFile, encoding: string, isFatal = false): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: isFatal })
  for await (const chunk of file.chunks()) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** The hash of all bytes. */
export const sha256 = async (file: SteadyFile): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of file.chunks()) hash.update(chunk)
  return hash.digest("hex")
}
