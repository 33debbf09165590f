/** Runs `transfers certify`. */
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import * as Certify from "@transferkit/conformance/certificate/Certify"
import * as Drift from "@transferkit/conformance/certificate/Drift"
import * as Signature from "@transferkit/conformance/certificate/Signature"
import { FileError } from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as OutputFiles from "@transferkit/files/node/OutputFiles"
import * as SecretFile from "@transferkit/files/node/SecretFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as CertificateBadge from "@transferkit/report/CertificateBadge"
import * as CertificatePage from "@transferkit/report/CertificatePage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import manifest from "../../../package.json" with { type: "json" }
import { Findings } from "../../Failure.ts"
import { Globals, isForScript } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as Credentials from "../../service/Credentials.ts"
import * as Profiles from "../../service/Profiles.ts"
import * as RawService from "../../service/RawService.ts"
import * as Settings from "../../service/Settings.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as CertificateReport from "./Report.ts"

/** The flags of the command. */
export interface Input extends Files, Readonly<Record<"requests" | "rate", number>> {
  readonly save: boolean
}

type Files = Readonly<Record<"against" | "out" | "html" | "badge" | "sign", string | undefined>>

export const run = Effect.fn("transfers certify")(function* (input: Input) {
  const { sandbox, from } = yield* Globals
  if (sandbox || from !== undefined) {
    return yield* new UsageError({ message: "Only a deployment can be certified: remove --sandbox and --from." })
  }
  const settings = yield* Settings.resolve
  const { profile } = settings
  const unnamed = "--save needs a profile: name one with --profile, or save one with transfers profiles save NAME."
  if (input.save && profile === undefined) return yield* new UsageError({ message: unnamed })
  const credentials = yield* Credentials.of(settings)
  yield* OutputFiles.check({ ...(yield* Globals), ...input }, ["out", "html", "badge"])
  // Before any request: a mistake in a file should not cost a minute.
  const before = yield* given(input.against, Signature.read)
  const sign = yield* given(input.sign, Signature.signer, SecretFile.read)
  for (const path of [input.out, input.html, input.badge]) if (path !== undefined) yield* AtomicFile.check(path)
  const service = RawService.layer(credentials)
  yield* Effect.provide(Certify.reach, service)
  const screen = yield* Screen
  const isScript = yield* isForScript
  const found = yield* Certify.certify({
    requests: input.requests - 1,
    rate: input.rate,
    origin: credentials.baseUrl,
    version: manifest.version,
    onProgress: ({ requests, laws, of }) =>
      isScript || requests % 20 > 0 ? Effect.void : screen.noteExactly(`${laws} of ${of} laws, ${requests} requests\n`),
  }).pipe(Effect.provide(service))
  const certificate = sign?.(found) ?? found
  if (input.out !== undefined) yield* AtomicFile.writeText(input.out, `${JSON.stringify(certificate, undefined, 2)}\n`)
  if (input.html !== undefined) yield* AtomicFile.writeText(input.html, CertificatePage.render(certificate))
  if (input.badge !== undefined) yield* AtomicFile.writeText(input.badge, CertificateBadge.render(certificate))
  if (input.save && profile !== undefined) yield* save(profile.value, certificate)
  const changes = before && Drift.changes(before, certificate)
  const report = before && changes && CertificateReport.ofChanges(changes, before.made_at)
  yield* Report.print(report ?? CertificateReport.ofCertificate(certificate), yield* Report.outputOf("json"))
  const count = changes?.filter(({ drifted }) => drifted).length ?? Certificate.countsOf(certificate).broken
  if (count > 0) return yield* new Findings({ count })
})

/** The value of a file, if one is named. */
const given = Effect.fnUntraced(function* <A>(
  path: string | undefined,
  parse: (text: string) => Result.Result<A, string>,
  read = TextFile.read,
) {
  if (path === undefined) return undefined
  const value = parse(yield* read(path))
  return Result.isSuccess(value) ? value.success : yield* new FileError({ path, reason: value.failure })
})

/** Saves the operator, if it was found out whether there is one. */
const save = Effect.fnUntraced(function* (name: string, { behaviour: { lte_token } }: Certificate.Certificate) {
  if (lte_token === undefined) return
  const file = yield* Profiles.update((profiles) => {
    const { dialect: _, ...profile } = profiles[name] ?? {}
    return Effect.succeed({
      ...profiles,
      [name]: { ...profile, ...(lte_token !== null && { dialect: { lte_token } }) },
    })
  })
  yield* (yield* Screen).note(`Saved to the profile ${name} in ${file}\n`)
})
