/** A signature by Ed25519 over the bytes of `close.json`, which hold the hashes of all other files. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign as signBytes, verify } from "node:crypto"
import * as FileError from "@transferkit/files/FileError"
import * as SecretFile from "@transferkit/files/node/SecretFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"

/** Signs with a private key, in PEM. The file must be readable by its user alone. */
export const sign = Effect.fn("CloseSignature.sign")(function* (bytes: Uint8Array, keyPath: string) {
  const text = yield* SecretFile.read(keyPath)
  const key = yield* keyOf(
    keyPath,
    () => createPrivateKey(text),
    "a private key of Ed25519, in PEM, without a password",
  )
  return signBytes(null, bytes, key)
})

/** Whether a signature is that of a public key, in PEM, and the name of the key. */
export const check = Effect.fn("CloseSignature.check")(function* (
  bytes: Uint8Array,
  signature: Uint8Array,
  keyPath: string,
) {
  const text = yield* TextFile.read(keyPath)
  const key = yield* keyOf(keyPath, () => createPublicKey(text), "a public key of Ed25519, in PEM")
  return { key: nameOf(key), isValid: verify(null, bytes, key, signature) }
})

const keyOf = (path: string, read: () => KeyObject, expected: string) =>
  Effect.try({ try: read, catch: () => undefined }).pipe(
    Effect.filterOrFail((key) => key.asymmetricKeyType === "ed25519"),
    Effect.mapError(
      () =>
        new FileError.FileError({
          path,
          reason: `it is not ${expected}: openssl genpkey -algorithm ed25519 makes one`,
        }),
    ),
  )

/** As SSH names keys: the hash of the public one. */
const nameOf = (key: KeyObject): string =>
  `SHA256:${createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64")
    .replaceAll("=", "")}`
