/** The files of a close's bundle. */
import { ZipFile } from "@transferkit/files/node/ZipFile"

/** By name, as bytes of one character each for a signature, which is no text. */
export const read = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const zip = await ZipFile.open(path)
  const texts: Array<readonly [string, string]> = []
  for (const name of zip.names) {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of zip.bytes(name, 1e8)) chunks.push(chunk)
    texts.push([name, Buffer.concat(chunks).toString(name === "close.sig" ? "latin1" : "utf8")])
  }
  await zip.close()
  return Object.fromEntries(texts)
}
