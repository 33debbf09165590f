/**
 * Named settings in a file under the XDG config folder. The file may hold secret keys, so it is the user's alone, and
 * one that others can read is refused.
 */
import * as Files from "node:fs/promises"
import * as Path from "node:path"
import { FileError, reasonOf } from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as S from "effect/Schema"

/** One profile, as it is kept. */
export const Profile = S.Struct({
  base_url: S.optionalKey(S.String),
  partner_id: S.optionalKey(S.String),
  secret_key: S.optionalKey(S.String),
  /** What `transfers probe --save` found out about the deployment. */
  dialect: S.optionalKey(S.Struct({ lte_token: S.optionalKey(S.String) })),
})

/** See the schema. */
export type Profile = typeof Profile.Type

/** All profiles by name. */
export type Profiles = Readonly<Record<string, Profile>>

/** Names that no shell would read as anything else: scripts for completion hold them. */
export const isName = (text: string): boolean => /^[A-Za-z0-9._@-]+$/.test(text)

const Content = S.fromJsonString(S.Struct({ profiles: S.Record(S.String, Profile) }))

const read = S.decodeUnknownEffect(Content)

/** Where the file is, whether or not it is there. */
export const path: Effect.Effect<string> = Effect.gen(function* () {
  const home = Option.getOrElse(yield* variable("HOME"), () => "/")
  const config = Option.getOrElse(yield* variable("XDG_CONFIG_HOME"), () => Path.join(home, ".config"))
  return Path.join(config, "transfers", "profiles.json")
})

const variable = (name: string): Effect.Effect<Option.Option<string>> =>
  Config.option(Config.String(name)).pipe(
    Effect.map(Option.filter((value) => value !== "")),
    Effect.orElseSucceed(() => Option.none()),
  )

/** All profiles; none where there is no file. */
export const load: Effect.Effect<Profiles, FileError> = Effect.gen(function* () {
  const file = yield* path
  const text = yield* attempt(file, async () => {
    const stat = await Files.stat(file).catch(() => undefined)
    if (stat === undefined) return undefined
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
      throw new Error(`others can read it, and it may hold secret keys: chmod 600 ${file}`)
    }
    return Files.readFile(file, "utf8")
  })
  if (text === undefined) return {}
  const content = yield* Effect.mapError(
    read(text),
    () => new FileError({ path: file, reason: `it is not {"profiles": {…}}: mend it or remove it` }),
  )
  return content.profiles
})

/** Replaces all profiles. */
export const save = (profiles: Profiles): Effect.Effect<string, FileError> =>
  Effect.gen(function* () {
    const file = yield* path
    yield* attempt(file, () => Files.mkdir(Path.dirname(file), { recursive: true, mode: 0o700 }))
    yield* AtomicFile.writeText(file, `${JSON.stringify({ profiles }, undefined, 2)}\n`, { mode: 0o600 })
    return file
  })

const attempt = <A>(file: string, body: () => Promise<A>): Effect.Effect<A, FileError> =>
  Effect.tryPromise({ try: body, catch: (error) => new FileError({ path: file, reason: reasonOf(error) }) })
