/** Files that hold a secret: rejected if others on the machine can read them. Windows has no such modes. */
import type { Stats } from "node:fs"
import * as Effect from "effect/Effect"
import { FileError } from "../FileError.ts"
import * as FileOwner from "./FileOwner.ts"
import * as TextFile from "./TextFile.ts"

/** All of a file that its user alone can read, such as a private key. */
export const read = (path: string): Effect.Effect<string, FileError> =>
  guarded(path, ({ mode }) =>
    (mode & 0o077) === 0 ? undefined : `others can read it, and it holds a secret: chmod 600 ${path}`,
  )

/**
 * The only line of a file: editors end a file with a line break, which is not part of a key. Of another kind of key, such as
 * a private one, a part would be sent. As with libpq's keys, its group may read it if it belongs to root, who mounts secrets
 * in containers. The mode of a pipe is not checked.
 */
export const readLine = (path: string): Effect.Effect<string, FileError> =>
  guarded(path, (info) =>
    !info.isFile() || (info.mode & (info.uid === 0 ? 0o027 : 0o077)) === 0
      ? undefined
      : `other users can read or change this secret: chmod 600 ${path}, or pass it with --secret-key-stdin`,
  ).pipe(
    Effect.flatMap((text) => {
      const line = firstLine(text)
      const reason =
        line === ""
          ? "its first line is empty, and must hold the secret"
          : text.trim().includes("\n") && "it has several lines, and must have one: the secret alone"
      return reason === false ? Effect.succeed(line) : Effect.fail(new FileError({ path, reason }))
    }),
  )

/** The first line of a text. */
export const firstLine = (text: string): string => text.replace(/^\ufeff/, "").split(/\r?\n/, 1)[0] ?? ""

const guarded = (path: string, faultOf: (info: Stats) => string | undefined): Effect.Effect<string, FileError> =>
  TextFile.read(path, process.platform === "win32" ? undefined : (info) => foreignOf(path, info) ?? faultOf(info))

/** Root can read what others wrote, and would send its key where they say. */
const foreignOf = (path: string, info: Stats): string | undefined => {
  const uid = info.isFile() ? FileOwner.other(info) : undefined
  return uid === undefined
    ? undefined
    : `it belongs to another user (uid ${uid}), who can change it: chown root ${path}`
}
