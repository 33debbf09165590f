/** `node:fs` for what the program reads beside its bundle: in the executable these files are assets. */
import { basename } from "node:path"
import { getAsset } from "node:sea"

export * from "node:fs"

/** Whether the asset is there: all are. */
export const existsSync = (): boolean => true

/** An asset by the name of its file. */
export const readFileSync = (path: string, encoding?: string): string | Uint8Array =>
  encoding === undefined ? new Uint8Array(getAsset(basename(path))) : getAsset(basename(path), encoding)
