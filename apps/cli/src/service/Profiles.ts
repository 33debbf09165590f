/**
 * Named settings in a file under the XDG config folder. The file may hold secret keys, so one that other users can read
 * is rejected.
 */
import * as JsonText from "@transferkit/domain/JsonText"
import * as FileError from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as SecretFile from "@transferkit/files/node/SecretFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as UserDirectories from "effect/persistence/UserDirectories"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

/** A profile in the file. */
export const Profile = S.Struct({
  base_url: S.optionalKey(S.String),
  partner_id: S.optionalKey(S.String),
  secret_key: S.optionalKey(S.String),
  /** What `transfers certify --save` found. */
  dialect: S.optionalKey(S.Struct({ lte_token: S.optionalKey(S.String) })),
  /** The statuses of transfers whose money has moved, and of those whose money will not move. */
  settled: S.optionalKey(S.Array(S.String)),
  failed: S.optionalKey(S.Array(S.String)),
})

/** See the schema. */
export type Profile = typeof Profile.Type

/** All profiles by name. */
export type Profiles = Readonly<Record<string, Profile>>

/** Names are safe in any shell, because completion scripts contain them. */
export const isName = (text: string): boolean => /^[A-Za-z0-9._@-]+$/.test(text)

const read = S.decodeUnknownResult(S.Struct({ profiles: S.Record(S.String, Profile) }))

/** The path of the file, whether or not it is there: XDG's folder on every platform. */
export const path: Effect.Effect<string> = UserDirectories.make({ platform: "linux" })
  .config("transfers")
  .pipe(
    Effect.orElseSucceed(() => "/.config/transfers"),
    Effect.map((folder) => `${folder}/profiles.json`),
  )

/** All profiles; none if there is no file. */
export const load = Effect.gen(function* () {
  const file = yield* path
  if (!(yield* TextFile.exists(file))) return {}
  const text = yield* SecretFile.read(file)
  const content = Result.flatMap(JsonText.parse(text), (value) =>
    Result.mapError(read(value), () => `it is not {"profiles": {…}}: fix or remove it`),
  )
  const fail = (reason: string) => new FileError.FileError({ path: file, reason })
  return (yield* Effect.fromResult(Result.mapError(content, fail))).profiles
})

/** Changes the profiles, one process at a time, and returns the path of the file. */
export const update = <E>(change: (profiles: Profiles) => Effect.Effect<Profiles, E>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const { dirname } = yield* Path.Path
      const file = yield* path
      yield* FileError.mapTo(file)(files.makeDirectory(dirname(file), { recursive: true, mode: 0o700 }))
      yield* FileLock.hold(file, { patience: "10 seconds" })
      yield* AtomicFile.removeLeftovers(file)
      const profiles = yield* change(yield* load)
      yield* AtomicFile.writeText(file, `${JSON.stringify({ profiles }, undefined, 2)}\n`)
      return file
    }),
  )
