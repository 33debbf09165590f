/** The bytes of a ledger file as text. */
import { open, type FileHandle } from "node:fs/promises"
import * as LedgerText from "../ledgers/LedgerText.ts"

const headBytes = 64 * 1024

const headOf = async (file: FileHandle): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** The beginning of a file. */
export const head = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  return headOf(file).finally(() => file.close())
}

/** The beginning of a file and its encoding. Reads all of it if only its bytes can tell. */
export const inspect = async (
  path: string,
  given: LedgerText.Encoding | undefined,
): Promise<{ readonly head: Buffer; readonly encoding: LedgerText.Encoding }> => {
  const file = await open(path)
  try {
    const head = await headOf(file)
    const foreign = LedgerText.foreignKind(head)
    if (foreign !== undefined) throw new Error(foreign)
    const marked = LedgerText.markedEncoding(head)
    if (given !== undefined) return { head, encoding: given }
    if (marked !== undefined && marked !== "utf-8") return { head, encoding: marked }
    if (marked === undefined && LedgerText.isBinary(head)) {
      throw new Error(
        "it is neither an Excel workbook nor text. Is it damaged? Export it again as .xlsx or CSV; if it is text, name its encoding with --encoding",
      )
    }
    const utf8 = new TextDecoder("utf-8", { fatal: true })
    try {
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
        utf8.decode(chunk, { stream: true })
      }
      utf8.decode()
      return { head, encoding: "utf-8" }
    } catch {
      if (marked === undefined) return { head, encoding: "windows-1252" }
      throw new Error("it begins as UTF-8 and goes on in another encoding. Export it again, or name it with --encoding")
    }
  } finally {
    await file.close()
  }
}

/** Whether a file has a quote in it, in an encoding that extends ASCII. Without one, a line is a row. */
export const hasQuotes = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      if (chunk.includes(quote)) return true
    }
    return false
  } finally {
    await file.close()
  }
}

const quote = 0x22

/** A file as text, in chunks, without its byte order mark. */
export async function* text(path: string, encoding: string, isFatal = false): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: isFatal })
  const file = await open(path)
  try {
    for await (const chunk of file.createReadStream({ autoClose: false })) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } finally {
    await file.close()
  }
}
